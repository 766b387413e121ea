import { spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { endsWithUs } from '../../../hack/real/clearing-up.ts';
import type { Hunted } from './hunted.ts';

/** `hung`: it had to be ended within this life. `crashed`: it ended within this life, and wrote no outcome. `lives`: begun. */
export type HuntOutcome =
  | Hunted
  | Readonly<{ hung: number; lives: number }>
  | Readonly<{ crashed: number; why: string; lives: number }>;

export type HuntRange = Readonly<{
  from: number;
  seconds: number;
  /** So many lives at most. */
  count?: number;
  /** So many of them are left out. */
  skip?: number;
}>;

/** What a life that has begun may take longer than the limit. A life with more to do than time goes on for ever is ended by it. */
const patience = 120_000;

/** Hunts in the checkout at `root`, in a process of its own. Fails where that process begins no life: what is in the checkout is no program. */
export function runHunt(root: string, { from, seconds, count = Infinity, skip = 0 }: HuntRange): Promise<HuntOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(root, 'test/soak/slips/hunt.ts'), ...[from, seconds, count, skip].map(String)],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    endsWithUs(child);
    let [said, complained, hung] = ['', '', false];
    const begun: number[] = [];
    child.stdout.on('data', (data: Buffer) => (said += String(data)));
    createInterface(child.stderr).on('line', (line) => {
      const life = /^life (\d+)$/.exec(line)?.[1];
      if (life === undefined) complained = `${complained}${line}\n`.slice(-2_000);
      else begun.push(Number(life));
    });
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
      const last = begun.at(-1);
      if (said !== '') resolve(JSON.parse(said) as Hunted);
      else if (last === undefined) reject(new Error(`no life began: ${complained}`));
      else if (hung) resolve({ hung: last, lives: begun.length });
      else resolve({ crashed: last, why: complained, lives: begun.length });
    });
  });
}
