import type { TurnOf } from '../../effects/turn.ts';
import type { LanguageMap } from '../../machines/kinds.ts';
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

/** By kind of machine, what begins its roll. */
export type Rolls<Spoken extends LanguageMap<Spoken>> = {
  readonly [Kind in keyof Spoken]: () => Roll<TurnOf<Spoken[Kind]>>;
};

/** `243 shoots: 240 connected, 1 paused`; without those of which there are none. */
export function countsSentence(of: string, counts: readonly (readonly [count: number, words: string])[]): string {
  const parts = counts.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}`);
  return parts.length === 0 ? of : `${of}: ${parts.join(', ')}`;
}

/** How many of one standing are named; the others are counted. */
const mostNamed = 10;

type Tally<Standing extends string> = Readonly<{
  counts: Readonly<Record<Standing, number>>;
  /** For the log: who they are, of those that do not stand as most do. */
  which: LogFields;
}>;

/** How many stand how. `usual`: the standings in which nobody is named, since most stand so. */
export function tally<Standing extends string>(
  standings: readonly Standing[],
  usual: readonly Standing[],
  all: Iterable<readonly [name: string, standing: Standing]>,
): Tally<Standing> {
  const names = new Map<Standing, string[]>(standings.map((standing) => [standing, []]));
  for (const [name, standing] of all) names.get(standing)?.push(name);
  const counts = Object.fromEntries([...names].map(([standing, those]) => [standing, those.length]));
  const unusual = [...names].filter(([standing, those]) => !usual.includes(standing) && those.length > 0);
  const which = Object.fromEntries(unusual.map(([standing, those]) => [standing, those.slice(0, mostNamed)]));
  return { counts: counts as Record<Standing, number>, which: unusual.length === 0 ? {} : { which } };
}
