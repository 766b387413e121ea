import { serviceStandings, standingWords } from 'dependency-watchdog/adapters/record/words/standing-words.ts';
import type { StandingState } from 'dependency-watchdog/domain/prober/standing.ts';
import { stateLook, type Shape, type Tone } from '../../../model/states.ts';
import type { ServiceRow } from '../../../model/rows.ts';

/** How a shoot or a service stands, by its consequence: what the seed is sorted, counted and filtered by. */
export type SeedStanding = StandingState | 'serviceDown' | 'relapsed' | 'recovering' | 'available';

type Style = Readonly<{ words: string; shape: Shape; tone: Tone }>;

const { down, relapsed, recovering, settled } = serviceStandings;

/** The most grave first, as `status` has them, with the services among them. Each completes "the shoot (the service) is …". */
export const seedStandings: Readonly<Record<SeedStanding, Style>> = {
  unreadable: { words: standingWords.unreadable, shape: 'cross', tone: 'refused' },
  cutOff: { words: standingWords.cutOff, shape: 'warning', tone: 'cutOff' },
  scalingDown: { words: standingWords.scalingDown, shape: 'fall', tone: 'cutOff' },
  scaledDown: { words: standingWords.scaledDown, shape: 'floor', tone: 'down' },
  scaledDownNotAnswering: { words: standingWords.scaledDownNotAnswering, shape: 'floor', tone: 'down' },
  partlyScaledDown: { words: standingWords.partlyScaledDown, shape: 'floor', tone: 'down' },
  scalingUp: { words: standingWords.scalingUp, shape: 'rise', tone: 'down' },
  serviceDown: { words: down.words, shape: 'floor', tone: 'down' },
  relapsed: { words: relapsed.words, shape: 'fall', tone: 'down' },
  recovering: { words: recovering.words, shape: 'rise', tone: 'busy' },
  notAnswering: { words: standingWords.notAnswering, shape: 'diamond', tone: 'down' },
  scaledDownByOthers: { words: standingWords.scaledDownByOthers, shape: 'floor', tone: 'down' },
  unprotected: { words: standingWords.unprotected, shape: 'warning', tone: 'cutOff' },
  unjudged: { words: standingWords.unjudged, shape: 'warning', tone: 'cutOff' },
  tooFew: { words: standingWords.tooFew, shape: 'dot', tone: 'calm' },
  waiting: { words: standingWords.waiting, shape: 'dot', tone: 'calm' },
  leftAlone: { words: standingWords.leftAlone, shape: 'pause', tone: 'calm' },
  // As its state is called on the same page.
  watched: { words: stateLook('shoot', 'probing').word, shape: 'ring', tone: 'calm' },
  available: { words: settled.words, shape: 'ring', tone: 'calm' },
};

const order = Object.keys(seedStandings);

/** 0 for the most grave. */
export function rankOf(standing: SeedStanding): number {
  return order.indexOf(standing);
}

export function serviceStanding({ state }: ServiceRow): SeedStanding {
  switch (state) {
    case 'down':
      return 'serviceDown';
    case 'relapsed':
      return 'relapsed';
    case 'recovering':
      return 'recovering';
    case 'settled':
      return 'available';
  }
}
