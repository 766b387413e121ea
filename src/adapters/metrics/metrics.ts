import { STATUS_CODES } from 'node:http';
import { Registry } from 'prom-client';
import type { Millis } from '../../domain/time.ts';
import type { Turn } from '../../effects/turn.ts';
import type { Dropped } from '../journal/journal-limits.ts';
import type { LaneName, RequestSeen } from '../kube/kube-client.ts';
import { commonInstruments } from './common-instruments.ts';
import { makeFirstRoleSeries, makeFirstSeries } from './first-series.ts';
import { processMetrics } from './process-metrics.ts';
import { shootInstruments } from './shoot-instruments.ts';
import { countTurns, turnCounters } from './turn-metrics.ts';
import { weederInstruments } from './weeder-instruments.ts';

/** What `/metrics` shows (SPEC 9.2): the turns give most of it, the adapters call for what no turn tells. */
export type Metrics = Readonly<{
  observe(turn: Turn): void;
  onSeedRequest(seen: RequestSeen): void;
  onShootRequest(seen: Readonly<{ code: string }>): void;
  /** Somebody answered 429. */
  onRequestThrottled(target: 'seed' | 'shoot'): void;
  /** Our own limit made a request to the seed wait, or refused it. */
  onRequestHeld(held: Readonly<{ by: 'rate' | 'queue'; lane: LaneName }>): void;
  /** The seed answered 429, and the rate of scale-ups was halved. */
  onScaleUpsSlowed(): void;
  onWatchRestart(resource: string): void;
  /** A watch holds as many objects as it may, and left this one out. */
  onObjectDropped(resource: string): void;
  onLeader(leads: boolean): void;
  onJournalDropped(dropped: Dropped): void;
  onJournalWriteFailed(): void;
  onObserverFault(observer: string): void;
  onEventDropped(reason: string): void;
  readonly contentType: string;
  /** The exposition text. */
  text(): Promise<string>;
  close(): void;
}>;

/** The watches on the seed, by the names that the label `resource` has. */
type WatchesMeasured = Readonly<{ names: readonly string[]; outFor(): ReadonlyMap<string, Millis> }>;

const noWatches: WatchesMeasured = { names: [], outFor: () => new Map() };

/** Which program it is. */
type BuildLabels = Readonly<{ version: string; commit: string; node: string }>;

const unknownBuild: BuildLabels = { version: 'unknown', commit: 'unknown', node: 'unknown' };

/** Has its own registry, so that two in one process do not collide. Shows one role's metrics (`docs/metrics.md`), or both. */
export function createMetrics(
  role?: 'prober' | 'weeder',
  watches: WatchesMeasured = noWatches,
  build: BuildLabels = unknownBuild,
): Metrics {
  const registry = new Registry();
  // The other role's metrics would stay at zero: they go to a registry that nobody reads.
  const elsewhere = new Registry();
  const common = commonInstruments(registry);
  const shoots = shootInstruments(role === 'weeder' ? elsewhere : registry);
  const services = weederInstruments(role === 'prober' ? elsewhere : registry);
  const process = processMetrics(registry);
  common.buildInfo.set({ ...build }, 1);
  makeFirstSeries(common, { role, streams: watches.names });
  makeFirstRoleSeries(shoots, services);

  return {
    observe: countTurns(common, turnCounters(shoots, services)),
    onSeedRequest: ({ verb, resource, code }) => common.seedRequests.inc({ verb, resource, code }),
    onShootRequest: ({ code }) => shoots.shootRequests.inc({ code: knownCode(code) }),
    onRequestThrottled: (target) => common.throttledRequests.inc({ target }),
    onRequestHeld: ({ by, lane }) => common.heldRequests.inc({ by, lane }),
    onScaleUpsSlowed: () => shoots.slowedScaleUps.inc(),
    onWatchRestart: (resource) => common.watchRestarts.inc({ resource }),
    onObjectDropped: (resource) => common.objectsDropped.inc({ resource }),
    onLeader: (leads) => common.leader.set(leads ? 1 : 0),
    onJournalDropped({ reason, turns, bytes }) {
      common.journalDroppedTurns.inc({ reason }, turns);
      common.journalDroppedBytes.inc({ reason }, bytes);
    },
    onJournalWriteFailed: () => common.journalWriteFailures.inc(),
    onObserverFault: (observer) => common.observerFaults.inc({ observer }),
    onEventDropped: (reason) => common.eventsDropped.inc({ reason }),
    contentType: registry.contentType,
    text: () => {
      for (const [resource, out] of watches.outFor()) common.watchOut.set({ resource }, out / 1_000);
      return registry.metrics();
    },
    close: () => process.close(),
  };
}

/** A shoot may answer with any of 900 numbers, and each would be a series for ever (SPEC 4.7). Words are our own. */
function knownCode(code: string): string {
  return /^\D/.test(code) || Object.hasOwn(STATUS_CODES, code) ? code : 'other';
}
