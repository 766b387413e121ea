import { counted } from '../../words/plain-words.ts';
import { countStandings } from '../words/standing-words.ts';
import type { LogFields } from './log.ts';

/** A line of the log, to be said at the level that whoever asked for it finds right. */
export type RollLine = Readonly<{ message: string; fields: LogFields }>;

/** How all subjects of one kind of machine stand. Every turn must pass through it, in order. */
export type Roll<SomeTurn> = Readonly<{
  /** Takes a turn. Gives a line where this one first shows how its subject was found, and that is not as it should be. */
  take(turn: SomeTurn): RollLine | undefined;
  /** How all that were met so far were found; undefined where there are none. */
  found(): RollLine | undefined;
  /** How many are how, now; undefined where there are none. */
  standing(): RollLine | undefined;
  /** What stays as it is when the process ends: a line for each subject, and one for all of them; `named`: for how many of them there is room. */
  left(named: number): Readonly<{ each: readonly RollLine[]; all: RollLine | undefined }>;
}>;

/** How many were found how: `243 shoots: 2 found scaled down by the watchdog`. Undefined where there are none. */
export function foundLine(
  noun: string,
  all: number,
  found: readonly (readonly [field: string, count: number, words: string])[],
): RollLine | undefined {
  if (all === 0) return undefined;
  const some = found.filter(([, count]) => count > 0).map(([, count, words]) => `${count} ${words}`);
  const message = `${counted(all, noun)}: ${some.length === 0 ? 'none was found down' : some.join(', ')}`;
  const counts = Object.fromEntries(found.map(([field, count]) => [field, count]));
  return { message, fields: { line: 'found', [`${noun}s`]: all, ...counts } };
}

/** How many of one standing are named; the others are counted. */
const mostNamed = 10;

/**
 * How many are how: `243 shoots: 1 scaled down, 2 left alone, 240 watched`, the worst first. `standings`: the name of the log's field and the words.
 * `usual`: those in which nobody is named, since most stand so.
 */
export function standingLine<Standing extends string>(
  noun: string,
  standings: readonly (readonly [field: Standing, words: string])[],
  usual: readonly Standing[],
  all: readonly (readonly [name: string, standing: Standing])[],
): RollLine | undefined {
  if (all.length === 0) return undefined;
  const counts = countStandings(standings, all);
  const unusual = counts.filter(({ standing }) => !usual.includes(standing));
  return {
    message: `${counted(all.length, noun)}: ${counts.map(({ words }) => words).join(', ')}`,
    fields: {
      line: 'roll call',
      [`${noun}s`]: all.length,
      ...Object.fromEntries(standings.map(([field]) => [field, 0])),
      ...Object.fromEntries(counts.map(({ standing, those }) => [standing, those.length])),
      ...(unusual.length === 0
        ? {}
        : { which: Object.fromEntries(unusual.map(({ standing, those }) => [standing, those.slice(0, mostNamed)])) }),
    },
  };
}
