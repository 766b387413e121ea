import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchOf } from '../../../hack/mutants/scratch.ts';
import { slipped } from '../../../hack/mutants/slip.ts';
import { runHunt, type HuntOutcome } from './run-hunt.ts';
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
