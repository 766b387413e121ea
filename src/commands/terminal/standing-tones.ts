import type { StandingState } from '../../domain/prober/standing.ts';
import type { Tone } from './painted-line.ts';

/** The colours in which a terminal shows how a shoot stands. */
export const standingTones: Readonly<Record<StandingState, Tone>> = {
  unreadable: 'bad',
  cutOff: 'bad',
  scalingDown: 'bad',
  scaledDown: 'bad',
  scaledDownNotAnswering: 'bad',
  partlyScaledDown: 'warning',
  scalingUp: 'news',
  notAnswering: 'warning',
  scaledDownByOthers: 'warning',
  unprotected: 'bad',
  unjudged: 'bad',
  tooFew: 'dim',
  waiting: 'dim',
  leftAlone: 'dim',
  watched: 'good',
};
