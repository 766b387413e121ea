import type { Turn, Turns, WeederTurn } from '../../../effects/turn.ts';
import { byKind } from '../facts/turns.ts';
import type { Instruments } from './metric-list.ts';
import { shootTurnMetrics } from './shoot-turn-metrics.ts';
import { serviceOf, type ServiceKey } from '../../../domain/weeder/service-ref.ts';
import type { Instant } from '../../../domain/time.ts';

/** Counts what the turns tell (SPEC 9.2). */
export function countTurns(metrics: Instruments): (turn: Turn) => void {
  const count = byKind<Turns, void>({ shoot: shootTurnMetrics(metrics), weeder: weederTurnMetrics(metrics) });
  return (turn) => {
    const { event } = turn;
    metrics.turns.inc({ event: event.type });
    if (event.type === 'ended' && event.because === 'bug') metrics.bugs.inc();
    count(turn);
  };
}

/** Counts what the weeder's turns tell (SPEC 9.2), and removes a service's series when the service goes. */
function weederTurnMetrics(metrics: Instruments): (turn: WeederTurn) => void {
  const open = new Set<ServiceKey>();
  /**
   * Since when a service is available, until its first pod is deleted. A deletion may be answered after its window closed,
   * and the machine has forgotten the window by then.
   */
  const availableSince = new Map<ServiceKey, Instant>();

  return (turn) => {
    const { subject: service, event, to, notes, at } = turn;
    for (const note of notes) {
      if (note.kind === 'deletionHeld') metrics.deletionsHeld.inc();
      if (note.kind === 'podSpared') metrics.podsSpared.inc({ reason: note.because });
      // Nothing may be deleted while the service is down: after a relapse, the delay counts from the last return.
      if (note.kind === 'windowOpened' && (!note.extended || availableSince.has(service)))
        availableSince.set(service, at);
    }
    if (event.type === 'deletion.answered') countAnswer(turn);
    const isOpen = event.type !== 'ended' && (to === 'recovering' || to === 'relapsed');
    if (isOpen) open.add(service);
    else open.delete(service);
    metrics.weedersActive.set(open.size);
    if (event.type !== 'ended') return;
    availableSince.delete(service);
    // The counts survive a bug, but not the service.
    if (event.because === 'gone') metrics.podsWeeded.remove(serviceOf(service));
  };

  function countAnswer({ subject: service, event, at }: WeederTurn): void {
    if (event.type !== 'deletion.answered') return;
    const { answer } = event;
    metrics.deletions.inc({ result: answer.outcome });
    if (answer.outcome === 'failed') metrics.deletionFailures.inc({ reason: answer.reason });
    if (answer.outcome !== 'deleted') return;
    metrics.podsWeeded.inc(serviceOf(service));
    const since = availableSince.get(service);
    if (since === undefined) return;
    metrics.weedingDelay.observe(Math.max(0, at - since) / 1_000);
    availableSince.delete(service);
  }
}
