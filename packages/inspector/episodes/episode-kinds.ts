import type { EpisodeKind } from 'dependency-watchdog/adapters/record/episodes/episode.ts';

/** How a kind is called: one of it, several, and what befell many at once; `over`, or what still goes on. */
type KindWords = Readonly<Record<'one' | 'several' | 'befell' | 'over' | 'goesOn', string>>;

/** The words for each kind of what happens, wherever it is told: in a terminal, a ticket, the list and the axis of the night. */
export const episodeKinds: Readonly<Record<EpisodeKind, KindWords>> = {
  outage: { one: 'outage', several: 'outages', befell: 'cut off', over: 'back', goesOn: 'still cut off' },
  recovery: {
    one: 'recovery',
    several: 'recoveries',
    befell: 'recovered',
    over: 'over',
    goesOn: 'with an open window',
  },
  pause: { one: 'pause', several: 'pauses', befell: 'not probed', over: 'probed again', goesOn: 'still not probed' },
  refusal: { one: 'refusal', several: 'refusals', befell: 'refused', over: 'done', goesOn: 'still refused' },
  bug: { one: 'bug', several: 'bugs', befell: 'with a bug', over: 'over', goesOn: 'not over' },
  oddLeases: {
    one: 'odd leases',
    several: 'with odd leases',
    befell: 'with odd leases',
    over: 'over',
    goesOn: 'still so',
  },
  unreachable: {
    one: 'unreachable',
    several: 'unreachable',
    befell: 'unreachable',
    over: 'answering again',
    goesOn: 'still unreachable',
  },
};
