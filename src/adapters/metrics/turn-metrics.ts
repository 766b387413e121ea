import type { Turn } from '../../effects/turn.ts';
import type { CommonInstruments } from './common-instruments.ts';
import type { ShootInstruments } from './shoot-instruments.ts';
import { shootTurnMetrics } from './shoot-turn-metrics.ts';
import type { WeederInstruments } from './weeder-instruments.ts';
import { weederTurnMetrics } from './weeder-turn-metrics.ts';

/** Counts what the turns tell (SPEC 9.2). */
export function turnMetrics(
  common: CommonInstruments,
  shoots: ShootInstruments,
  services: WeederInstruments,
): (turn: Turn) => void {
  const countShoots = shootTurnMetrics(shoots);
  const countServices = weederTurnMetrics(services);

  return (turn) => {
    const { event } = turn;
    common.turns.inc({ event: event.type });
    if (event.type === 'ended' && event.because === 'bug') common.bugs.inc();
    if ('shoot' in turn) countShoots(turn);
    else countServices(turn);
  };
}
