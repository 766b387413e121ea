import { clockWords, instantText, lengthWords } from 'dependency-watchdog/adapters/words/plain-words.ts';
import type { Episode } from 'dependency-watchdog/adapters/record/episodes/episode.ts';
import { episodeKinds } from './episode-kinds.ts';

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
