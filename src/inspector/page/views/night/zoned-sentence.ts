import type { Episode } from '../../../../adapters/episodes/episode.ts';
import { timeText, type Zone } from '../../format/instant-text.ts';

/** The sentence of an episode with its times of day in the reader's zone: they are those of its beginning, its end or its stages, in UTC. */
export function zonedSentence(
  { sentence, beganAt, endedAt, stages }: Pick<Episode, 'sentence' | 'beganAt' | 'endedAt' | 'stages'>,
  zone: Zone,
): string {
  if (zone === 'utc') return sentence;
  const instants = [beganAt, ...(endedAt === null ? [] : [endedAt]), ...stages.map(({ at }) => at)];
  const texts = new Map(instants.map((at) => [timeText(at, 'utc'), timeText(at, zone)]));
  return sentence.replaceAll(/\b\d\d:\d\d:\d\d\.\d\b/g, (text) => texts.get(text) ?? `${text} UTC`);
}
