import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { scratchOf } from '../../mutants/scratch.ts';
import { slipped } from '../../mutants/slip.ts';
import { endsWithUs } from '../../real/clearing-up.ts';
import type { Millis } from 'dependency-watchdog/domain/time.ts';
import type { PlacedSoakSlip } from './slips.ts';

export type PlayedSoakSlip = PlacedSoakSlip &
  Readonly<{
    tookMs: number;
    /** How it was found: the law, and the number of the life. Undefined where it lives on. */
    found: Readonly<{ law: string; why: string; number: number }> | undefined;
  }>;

export type PlayOptions = Readonly<{
  jobs: number;
  /** For each slip. */
  seconds: number;
  /** The lowest number to live. */
  from: number;
  onPlayed: (played: PlayedSoakSlip) => void;
}>;

/** Puts each slip into a copy of the checkout, one at a time, and lives until a law breaks that holds for the same number without it. */
export async function playSoakSlips(
  root: string,
  slips: readonly PlacedSoakSlip[],
  { jobs, seconds, from, onPlayed }: PlayOptions,
): Promise<readonly PlayedSoakSlip[]> {
  const waiting = [...slips];
  const all: PlayedSoakSlip[] = [];
  // A law that breaks without any slip proves nothing about one.
  const clean = scratchOf(root);
  const breaking = new Map<number, Promise<boolean>>();
  const breaksAnyway = (number: number): Promise<boolean> => {
    const known = breaking.get(number) ?? runHunt(clean, { from: number, seconds: 0, count: 1 }).then(isBad);
    breaking.set(number, known);
    return known;
  };
  const work = async (): Promise<void> => {
    const scratch = scratchOf(root);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const played = await playOne(scratch, next, { seconds, from, breaksAnyway });
      all.push(played);
      onPlayed(played);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return all;
}

const isBad = (outcome: HuntOutcome): boolean => foundIn(outcome) !== undefined;

async function playOne(
  scratch: string,
  placed: PlacedSoakSlip,
  {
    seconds,
    from,
    breaksAnyway,
  }: Pick<PlayOptions, 'seconds' | 'from'> & { breaksAnyway: (number: number) => Promise<boolean> },
): Promise<PlayedSoakSlip> {
  const path = join(scratch, placed.slip.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, slipped(text, placed.slip));
  let left = seconds * 1_000;
  const ended = (found: PlayedSoakSlip['found']): PlayedSoakSlip => ({
    ...placed,
    tookMs: seconds * 1_000 - left,
    found,
  });
  try {
    for (let skip = 0; ;) {
      const begin = performance.now();
      const outcome = await runHunt(scratch, { from, seconds: Math.ceil(left / 1_000), skip });
      left -= performance.now() - begin;
      const found = foundIn(outcome);
      if (found === undefined) return ended(undefined);
      if (!(await breaksAnyway(found.number))) return ended(found);
      skip += outcome.lives;
      if (left <= 0) return ended(undefined);
    }
  } finally {
    writeFileSync(path, text);
  }
}

function foundIn(outcome: HuntOutcome): PlayedSoakSlip['found'] {
  if ('hung' in outcome) return { law: 'a life ends', why: 'it had to be ended', number: outcome.hung };
  if ('crashed' in outcome) return { law: 'a life does not crash', why: outcome.why, number: outcome.crashed };
  return outcome.found ? outcome : undefined;
}

/** What came of lives with a slip in the program. `simulated`: the length of all of them. */
export type Hunted = Readonly<{ lives: number; simulated: Millis }> &
  (Readonly<{ found: true; number: number; law: string; why: string }> | Readonly<{ found: false }>);

/** `hung`: it had to be ended within this life. `crashed`: it ended within this life, and wrote no outcome. `lives`: begun. */
type HuntOutcome =
  | Hunted
  | Readonly<{ hung: number; lives: number }>
  | Readonly<{ crashed: number; why: string; lives: number }>;

type HuntRange = Readonly<{
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
function runHunt(root: string, { from, seconds, count = Infinity, skip = 0 }: HuntRange): Promise<HuntOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(root, 'packages/lab/soak/slips/hunt.ts'), ...[from, seconds, count, skip].map(String)],
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

/** One line for each room and each law, what lives on, and whether nothing lives without an explanation. */
export function sumUp(played: readonly PlayedSoakSlip[]): Readonly<{ lines: readonly string[]; isGood: boolean }> {
  const living = played.filter(({ found }) => found === undefined);
  const unexplained = living.filter(({ slip }) => slip.explained === undefined);
  const rooms = Object.entries(Object.groupBy(played, ({ room }) => room));
  const laws = Object.entries(Object.groupBy(played, ({ found }) => found?.law ?? 'none'));
  return {
    lines: [
      `${'room'.padEnd(14)}slips  found  lives`,
      ...rooms.map(([room, of = []]) => rowOf(room, of)),
      rowOf('all', played),
      '',
      ...laws.map(([law, of = []]) => `${String(of.length).padStart(5)} by ${law}`),
      '',
      ...living.map(
        ({ slip }) => `lives: ${slip.says} (${slip.file})\n       ${slip.explained ?? 'and nothing explains why'}`,
      ),
      `${unexplained.length} of ${living.length} that live are not explained.`,
    ],
    isGood: played.length > 0 && unexplained.length === 0,
  };
}

function rowOf(room: string, played: readonly PlayedSoakSlip[]): string {
  const found = played.filter((one) => one.found !== undefined).length;
  return room.padEnd(12) + [played.length, found, played.length - found].map((one) => String(one).padStart(7)).join('');
}
