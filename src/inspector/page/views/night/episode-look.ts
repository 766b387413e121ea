import type { EpisodeKind, EpisodeWeight } from '../../../../adapters/episodes/episode.ts';
import type { Shape, Tone } from '../../format/state-look.ts';

/** What an episode is called. */
export const episodeWords: Readonly<Record<EpisodeKind, string>> = {
  outage: 'outage',
  recovery: 'recovery',
  pause: 'pause',
  refusal: 'refusal',
  bug: 'bug',
  oddLeases: 'odd leases',
  unreachable: 'unreachable',
};

/** How much it weighs: a word, a shape and a tone. */
export const weightLooks: Readonly<Record<EpisodeWeight, Readonly<{ word: string; shape: Shape; tone: Tone }>>> = {
  bad: { word: 'bad', shape: 'diamond', tone: 'cutOff' },
  grave: { word: 'grave', shape: 'warning', tone: 'down' },
  notable: { word: 'notable', shape: 'ring', tone: 'calm' },
};
