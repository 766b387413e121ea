import type { EpisodeKind, EpisodeWeight } from '../../../../adapters/episodes/episode.ts';
import { numberText } from '../../format/number-text.ts';
import type { Shape, Tone } from '../../format/state-look.ts';

/** What an episode is called, and several of its kind. */
export const episodeWords: Readonly<Record<EpisodeKind, readonly [one: string, several: string]>> = {
  outage: ['outage', 'outages'],
  recovery: ['recovery', 'recoveries'],
  pause: ['pause', 'pauses'],
  refusal: ['refusal', 'refusals'],
  bug: ['bug', 'bugs'],
  oddLeases: ['odd leases', 'with odd leases'],
  unreachable: ['unreachable', 'unreachable'],
};

/** `14 outages`. */
export function countedKind(kind: EpisodeKind, count: number): string {
  const [one, several] = episodeWords[kind];
  return `${numberText(count)} ${count === 1 ? one : several}`;
}

/** How much it weighs: a word, a shape and a tone. */
export const weightLooks: Readonly<Record<EpisodeWeight, Readonly<{ word: string; shape: Shape; tone: Tone }>>> = {
  bad: { word: 'bad', shape: 'diamond', tone: 'cutOff' },
  grave: { word: 'grave', shape: 'warning', tone: 'down' },
  notable: { word: 'notable', shape: 'ring', tone: 'calm' },
};

/**
 * What it means for a shoot or a service while it is so: `danger` is not protected, `held` is down, `refused` could not be done, `returning` comes back;
 * `apart` has no consequence.
 */
export type StageMeaning = 'danger' | 'held' | 'refused' | 'returning' | 'apart';

const meanings: Readonly<Record<string, StageMeaning>> = {
  'cut off': 'danger',
  decided: 'danger',
  lost: 'danger',
  protected: 'held',
  down: 'held',
  refused: 'refused',
  healed: 'returning',
  back: 'returning',
  'first pod deleted': 'returning',
  'last pod deleted': 'returning',
};

/** Of the time that follows a stage. */
export function stageMeaning(name: string): StageMeaning {
  return (Object.hasOwn(meanings, name) ? meanings[name] : undefined) ?? 'apart';
}
