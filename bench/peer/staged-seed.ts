import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Millis } from '../../src/domain/time.ts';
import { proberConfigText } from '../support/prober-config-text.ts';
import { startSeed, type StartedSeed } from '../support/started-seed.ts';
import { StartedProgram } from '../support/started-program.ts';

/** As gardenlet writes them. */
export const gardenersFlags: readonly string[] = [
  '--kube-api-qps=20',
  '--kube-api-burst=100',
  '--zap-log-level=INFO',
  '--enable-leader-election=true',
];

export type Stage = Readonly<{
  command: string;
  shoots: number;
  nodes: number;
  interval: string;
  /** Of the machine-controller-manager on the way up. */
  delay: string;
  podStart?: Millis;
}>;

/** A seed, and how to start a prober on it. */
export class StagedSeed {
  readonly seed: StartedSeed;
  readonly #start: () => Promise<StartedProgram>;

  constructor(seed: StartedSeed, start: () => Promise<StartedProgram>) {
    this.seed = seed;
    this.#start = start;
  }

  startProber(): Promise<StartedProgram> {
    return this.#start();
  }

  /** Until each shoot was asked something since the program started. Rejects where that takes too long. */
  async asksAll(program: StartedProgram, within: Millis): Promise<void> {
    const { startedAt } = program;
    const { asked } = await this.seed.reportOnce(
      (report) => {
        program.refuseEnd();
        return report.asked.all !== undefined;
      },
      Date.now() + within,
      startedAt,
    );
    if (asked.all === undefined) throw new Error(`after ${within / 1_000} s it had not asked all shoots`);
  }
}

/** Calls back with a fresh seed, and ends it. */
export async function onSeed<Answer>(stage: Stage, play: (staged: StagedSeed) => Promise<Answer>): Promise<Answer> {
  const dir = mkdtempSync(join(tmpdir(), 'dwd-bench-'));
  try {
    const configFile = join(dir, 'config.yaml');
    writeFileSync(configFile, proberConfigText(stage));
    const { command, shoots, nodes, podStart } = stage;
    using seed = await startSeed({ configFile, shoots, nodes, ...(podStart === undefined ? {} : { podStart }) });
    const { kubeconfig } = seed;
    const start = () => StartedProgram.start(command, 'prober', { kubeconfig, configFile, flags: gardenersFlags });
    return await play(new StagedSeed(seed, start));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
