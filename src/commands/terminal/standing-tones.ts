import type { StandingState } from '../../domain/prober/standing.ts';
import type { Tone } from './painted-line.ts';

/** The colours in which a terminal shows how a shoot stands. */
export const standingTones: Readonly<Record<StandingState, Tone>> = {
  unreadable: 'bad',
  cutOff: 'bad',
  goingDown: 'bad',
  down: 'bad',
  downNotAnswering: 'bad',
  partlyDown: 'warning',
  healing: 'news',
  notAnswering: 'warning',
  downByOthers: 'warning',
  unprotected: 'bad',
  tooFew: 'dim',
  waiting: 'dim',
  leftAlone: 'dim',
  protected: 'good',
};
