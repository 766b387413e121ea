import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchOf } from '../../../hack/mutants/scratch.ts';
import { slipped } from '../../../hack/mutants/slip.ts';
import { runHunt } from './run-hunt.ts';
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
  /** The first number to live. */
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

const isBad = (outcome: Awaited<ReturnType<typeof runHunt>>): boolean => !('found' in outcome) || outcome.found;

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
    for (let number = from; ;) {
      const begin = performance.now();
      const outcome = await runHunt(scratch, { from: number, seconds: Math.ceil(left / 1_000) });
      left -= performance.now() - begin;
      if ('crashed' in outcome) return ended({ law: 'the program starts', why: outcome.crashed, number });
      if ('found' in outcome && !outcome.found) return ended(undefined);
      const found =
        'hung' in outcome ? { law: 'a life ends', why: 'it had to be ended', number: outcome.hung } : outcome;
      if (!(await breaksAnyway(found.number))) return ended(found);
      number = found.number + 1;
      if (left <= 0) return ended(undefined);
    }
  } finally {
    writeFileSync(path, text);
  }
}
