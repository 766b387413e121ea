import type { Episode, EpisodeKind } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { clockWords, instantText, lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';

/** How a kind is called: one of it, several, and what befell many at once; `over`, or what still goes on. */
type KindWords = Readonly<Record<'one' | 'several' | 'befell' | 'over' | 'goesOn', string>>;

/** The words for each kind of what happens, wherever it is told: in a terminal, a ticket, the list and the axis of the night. */
export const episodeKinds: Readonly<Record<EpisodeKind, KindWords>> = {
  outage: { one: 'outage', several: 'outages', befell: 'cut off', over: 'back', goesOn: 'still cut off' },
  partial: {
    one: 'partial outage',
    several: 'partial outages',
    befell: 'cut off in part',
    over: 'renewed again',
    goesOn: 'still cut off in part',
  },
  recovery: {
    one: 'recovery',
    several: 'recoveries',
    befell: 'down',
    over: 'recovered',
    goesOn: 'not recovered yet',
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

/** What happened to one machine, as it goes into a ticket: when, to whom, how grave; a sentence; and whatever else is known. Times are UTC. */
export function episodeLines({ beganAt, endedAt, subject, kind, weight, ...told }: Episode): readonly string[] {
  const on = endedAt === null ? ', open when the record ends' : '';
  return [
    `${instantText(beganAt)}  ${subject}  ${episodeKinds[kind].one}, ${weight}${on}`,
    `    ${told.sentence}`,
    ...told.lines.map((line) => `    ${line}`),
    ...(told.stages.length < 2 ? [] : [`    ${stageWords(told)}`]),
  ];
}

/** `cut off 12:00:44.1 → decided +0.05 s → protected +0.36 s`. */
function stageWords({ stages }: Pick<Episode, 'stages'>): string {
  return stages
    .map(({ name, at, after }) => `${name} ${after === null ? clockWords(at) : `+${lengthWords(after)}`}`)
    .join(' → ');
}
