import type { TurnOf, TurnsOf } from '../../effects/turn.ts';
import type { LanguageMap, Languages } from '../../machines/kinds.ts';
import { byKind } from '../turns/by-kind.ts';
import { isEnded } from '../turns/runtime-events.ts';
import type { Instruments } from './instruments.ts';
import { shootTurnMetrics } from './shoot-turn-metrics.ts';
import { weederTurnMetrics } from './weeder-turn-metrics.ts';

/** By kind of machine, what counts its turns. */
export type TurnCounters<Spoken extends LanguageMap<Spoken>> = {
  readonly [Kind in keyof Spoken]: (turn: TurnOf<Spoken[Kind]>) => void;
};

export function turnCounters(metrics: Instruments): TurnCounters<Languages> {
  return { shoot: shootTurnMetrics(metrics), weeder: weederTurnMetrics(metrics) };
}

/** Counts what the turns tell (SPEC 9.2). */
export function countTurns<Spoken extends LanguageMap<Spoken>>(
  metrics: Pick<Instruments, 'turns' | 'bugs'>,
  counters: TurnCounters<Spoken>,
): (turn: TurnsOf<Spoken>[keyof Spoken]) => void {
  return byKind<TurnsOf<Spoken>, void>(counters, (kind) => (turn) => {
    const { event } = turn;
    metrics.turns.inc({ event: event.type });
    if (isEnded(event) && event.because === 'bug') metrics.bugs.inc();
    counters[kind](turn);
  });
}
