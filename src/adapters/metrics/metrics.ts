import { Registry } from 'prom-client';
import type { ShootTurn } from '../../effects/turn.ts';
import type { Dropped } from '../journal/journal-limits.ts';
import type { RequestSeen } from '../kube-client.ts';
import { instruments } from './instruments.ts';
import { processMetrics } from './process-metrics.ts';
import { turnMetrics } from './turn-metrics.ts';

/** What `/metrics` shows (SPEC 9.2): the turns give most of it, the adapters call for what no turn tells. */
export type Metrics = Readonly<{
  observe(turn: ShootTurn): void;
  onSeedRequest(seen: RequestSeen): void;
  onShootRequest(seen: Readonly<{ code: string }>): void;
  /** Somebody answered 429. */
  onThrottled(target: 'seed' | 'shoot'): void;
  /** Our own limit made a request to the seed wait, or refused it. */
  onHeld(by: 'rate' | 'queue'): void;
  onWatchRestart(resource: string): void;
  onLeader(leads: boolean): void;
  onJournalDropped(dropped: Dropped): void;
  onJournalWriteFailed(): void;
  onObserverFault(observer: string): void;
  onEventDropped(reason: string): void;
  onWeedersActive(count: number): void;
  onPodWeeded(where: Readonly<{ namespace: string; service: string }>): void;
  readonly contentType: string;
  /** The exposition text. */
  text(): Promise<string>;
  close(): void;
}>;

/** Has a registry of its own: two in one process do not meet. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const counts = instruments(registry);
  const process = processMetrics(registry);
  // An alert on a rate needs the series before the first time that it counts.
  for (const target of ['seed', 'shoot']) counts.throttledRequests.inc({ target }, 0);
  for (const by of ['rate', 'queue']) counts.heldRequests.inc({ by }, 0);
  for (const direction of ['down', 'up']) counts.scaleOperations.inc({ direction, result: 'written' }, 0);

  return {
    observe: turnMetrics(counts),
    onSeedRequest: ({ verb, resource, code }) => counts.seedRequests.inc({ verb, resource, code }),
    onShootRequest: ({ code }) => counts.shootRequests.inc({ code }),
    onThrottled: (target) => counts.throttledRequests.inc({ target }),
    onHeld: (by) => counts.heldRequests.inc({ by }),
    onWatchRestart: (resource) => counts.watchRestarts.inc({ resource }),
    onLeader: (leads) => counts.leader.set(leads ? 1 : 0),
    onJournalDropped({ reason, turns, bytes }) {
      counts.journalDroppedTurns.inc({ reason }, turns);
      counts.journalDroppedBytes.inc({ reason }, bytes);
    },
    onJournalWriteFailed: () => counts.journalWriteFailures.inc(),
    onObserverFault: (observer) => counts.observerFaults.inc({ observer }),
    onEventDropped: (reason) => counts.eventsDropped.inc({ reason }),
    onWeedersActive: (count) => counts.weedersActive.set(count),
    onPodWeeded: ({ namespace, service }) => counts.podsWeeded.inc({ namespace, service }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close: () => process.close(),
  };
}
