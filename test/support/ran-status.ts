import { Subject } from 'rxjs';
import { heardIo } from '@dwd/testing/heard-io.ts';
import type { SeedStage } from '@dwd/testing/seed-stage.ts';
import { runStatus, type StatusSurroundings } from '../../src/commands/status.ts';

type Io = Readonly<{ out: string[]; err: string[]; run: Promise<number> }>;

/** `status` as an operator begins it on this seed. */
export function beginStatus(stage: SeedStage, flags: readonly string[], around: Partial<StatusSurroundings> = {}): Io {
  const { io, out, err } = heardIo();
  const args = [`--config-file=${stage.configFile}`, `--kubeconfig=${stage.kubeconfigOf('operator')}`, ...flags];
  const usual = { terminal: undefined, colours: false, interrupted$: new Subject() };
  const run = runStatus(args, io, { ...usual, ...around });
  return { out, err, run };
}

/** What it came to. */
export async function status(stage: SeedStage, ...flags: readonly string[]) {
  const { out, err, run } = beginStatus(stage, flags);
  return { code: await run, out: out.join('\n'), err: err.join('\n') };
}

/** The row of a shoot, blanks as one. */
export function row(text: string, shoot: string): string {
  const line = text.split('\n').find((one) => one.startsWith(shoot)) ?? '';
  return line.replaceAll(/ {2,}/g, '  ').trim();
}
