import type { DependantStanding, Oddity, ShootStanding, StandingState } from '../../domain/prober/standing.ts';
import { counted } from './plain-words.ts';
import { refWords } from './write-words.ts';

/** The words of `status` and `release` for how a shoot stands. Each completes "the shoot is …". */
export const standingWords: Readonly<Record<StandingState, string>> = {
  unreadable: 'unreadable',
  cutOff: 'cut off',
  goingDown: 'going down',
  down: 'down',
  partlyDown: 'down in part',
  healing: 'healing',
  notAnswering: 'not answering',
  downByOthers: 'down by others',
  unprotected: 'unprotected',
  waiting: 'not probed yet',
  leftAlone: 'left alone',
  protected: 'protected',
};

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
  zeroWithoutMark: () => downByOthersWords,
  recordUnreadable: () => 'is at 0 replicas, and nothing readable tells what it had; it will get 1',
  missing: () => 'does not exist',
  unread: ({ problem = '' }) => `could not be read: ${problem}`,
};

/** Of one that stands at 0 without the mark. */
export const downByOthersWords = 'is at 0 replicas, but not by the watchdog';

/** Anybody who may write to the Deployment chooses it. */
const longestRecord = 20;
