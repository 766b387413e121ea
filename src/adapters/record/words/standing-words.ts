import {
  shootStates,
  type DependantStanding,
  type Oddity,
  type ShootStanding,
  type StandingState,
} from '../../../domain/prober/standing.ts';
import type { WeederState } from '../../../machines/weeder-language.ts';
import { counted } from '../../words/plain-words.ts';
import { refWords } from './write-words.ts';

/** The words for how a shoot stands, wherever it is said. Each completes "the shoot is …". */
export const standingWords: Readonly<Record<StandingState, string>> = {
  unreadable: 'unreadable',
  cutOff: 'cut off',
  scalingDown: 'scaling down',
  scaledDown: 'scaled down',
  scaledDownNotAnswering: 'scaled down and not answering',
  partlyScaledDown: 'partly scaled down',
  scalingUp: 'scaling up',
  notAnswering: 'not answering',
  scaledDownByOthers: 'scaled down by others',
  unprotected: 'unprotected',
  unjudged: 'impossible to judge',
  tooFew: 'too small to judge',
  waiting: 'not probed yet',
  leftAlone: 'left alone',
  watched: 'watched',
};

/** Each completes "the service is …", the worst first; `field`: its name in the log. */
export const serviceStandings = {
  down: { field: 'down', words: 'down' },
  relapsed: { field: 'downAgain', words: 'down again within its window' },
  recovering: { field: 'open', words: 'with an open window' },
  settled: { field: 'available', words: 'available' },
} as const satisfies Readonly<Record<WeederState, Readonly<{ field: string; words: string }>>>;

export const shootStandings = shootStates.map((state) => [state, standingWords[state]] as const);

/** How many stand so, with the words for it, and who. `standings`: names and words, worst first. */
export type Counted<Standing extends string> = Readonly<{
  standing: Standing;
  words: string;
  those: readonly string[];
}>;

/** Who of all stands how: `1 scaled down`, `11 watched`; without those standings that nobody has. */
export function countStandings<Standing extends string>(
  standings: readonly (readonly [Standing, words: string])[],
  all: readonly (readonly [name: string, standing: Standing])[],
): readonly Counted<Standing>[] {
  const names = Map.groupBy(all, ([, standing]) => standing);
  return standings.flatMap(([standing, words]) => {
    const those = names.get(standing)?.map(([name]) => name) ?? [];
    return those.length === 0 ? [] : [{ standing, words: `${those.length} ${words}`, those }];
  });
}

/** What is wrong with a dependant, in sentences without their point: `Deployment x is at 0 replicas, but not by the watchdog`. */
export function oddityWords(
  standing: DependantStanding,
  { reason = 'it is left alone' }: Pick<ShootStanding, 'reason'>,
): readonly string[] {
  const of = refWords(standing.dependant.ref);
  return standing.odd.map((one) => `${of} ${oddities[one](standing, reason)}`);
}

const oddities: Readonly<Record<Oddity, (standing: DependantStanding, reason: string) => string>> = {
  markLeftBehind: ({ view }) =>
    view?.ignored
      ? 'is ignored, and still carries the mark'
      : `has ${counted(view?.replicas ?? 0, 'replica')}, and still carries the mark`,
  markOnLeftAlone: (_, reason) => `carries the mark, and nobody takes it away: ${reason}`,
  recordWithoutMark: ({ view }) =>
    `has a record (${JSON.stringify(view?.record?.slice(0, longestRecord))}) without the mark`,
  zeroWithoutMark: () => scaledDownByOthersWords,
  notConfigured: ({ view }) => notConfiguredWords(view?.replicas ?? 0),
  recordUnreadable: () => 'is at 0 replicas, and nothing readable tells what it had; it will get 1',
  missing: () => 'does not exist',
  unread: ({ problem = '' }) => `could not be read: ${problem}`,
};

/** Of one that carries the mark, and that no configuration names. */
export function notConfiguredWords(replicas: number): string {
  return `is at ${counted(replicas, 'replica')} with the mark, and not in the configuration`;
}

/** Of one that stands at 0 without the mark. */
export const scaledDownByOthersWords = 'is at 0 replicas, but not by the watchdog';

/** Anybody who may write to the Deployment chooses it. */
const longestRecord = 20;
