import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { endsWithUs } from '../../../hack/real/clearing-up.ts';
import type { Hunted } from './hunted.ts';

/** `hung`: it had to be ended within this life. `crashed`: it wrote no outcome. */
export type HuntOutcome = Hunted | Readonly<{ hung: number }> | Readonly<{ crashed: string }>;

export type HuntRange = Readonly<{
  from: number;
  seconds: number;
  /** So many lives at most. */
  count?: number;
}>;

/** What a life that has begun may take longer than the limit. A life with more to do than time goes on for ever is ended by it. */
const patience = 120_000;

/** Hunts in the checkout at `root`, in a process of its own. */
export function runHunt(root: string, { from, seconds, count }: HuntRange): Promise<HuntOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        join(root, 'test/soak/slips/hunt.ts'),
        String(from),
        String(seconds),
        ...(count === undefined ? [] : [String(count)]),
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    endsWithUs(child);
    let [said, complained, hung] = ['', '', false];
    child.stdout.on('data', (data: Buffer) => (said += String(data)));
    child.stderr.on('data', (data: Buffer) => (complained = `${complained}${String(data)}`.slice(-2_000)));
    const limit = setTimeout(
      () => {
        hung = true;
        child.kill('SIGKILL');
      },
      seconds * 1_000 + patience,
    );
    child.on('error', reject);
    child.on('close', () => {
      clearTimeout(limit);
      if (hung) resolve({ hung: Number(complained.match(/life (\d+)\n$/)?.[1] ?? from) });
      else resolve(said === '' ? { crashed: complained } : (JSON.parse(said) as Hunted));
    });
  });
}
