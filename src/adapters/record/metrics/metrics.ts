import { STATUS_CODES } from 'node:http';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { RoleName, ShootNamespace } from '../../../domain/names.ts';
import type { Millis } from '../../../domain/time.ts';
import type { Turn } from '../../../effects/turn.ts';
import type { Dropped } from '../journal/journal-limits.ts';
import type { LaneName, RequestSeen } from '../../kube/kube-client.ts';
import { makeFirstSeries, makeInstruments } from './metric-list.ts';
import { countTurns } from './turn-metrics.ts';

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
  /** By an election, whose Lease has this name. */
  onElected(lease: string, leads: boolean): void;
  /** The shoots of all that carries the mark and is not in the configuration. */
  onStrays(shoots: readonly ShootNamespace[]): void;
  onJournalDropped(dropped: Dropped): void;
  onJournalWriteFailed(): void;
  onLogLineDropped(): void;
  onObserverFault(observer: string): void;
  onEventDropped(reason: string): void;
  /** Who reads the inspector's streams. */
  readonly onInspector: InspectorCounts;
  readonly contentType: string;
  /** The exposition text. */
  text(): Promise<string>;
}>;

type InspectorCounts = Readonly<{
  onReaders(count: number): void;
  onRefused(): void;
  onMissed(events: number): void;
}>;

/** The watches on the seed, by the names that the label `resource` has. */
type WatchesMeasured = Readonly<{
  names: readonly string[];
  outFor(): ReadonlyMap<string, Millis>;
  refused(): ReadonlySet<string>;
}>;

const noWatches: WatchesMeasured = { names: [], outFor: () => new Map(), refused: () => new Set() };

/** Which program it is. */
type BuildLabels = Readonly<{ version: string; commit: string; node: string }>;

const unknownBuild: BuildLabels = { version: 'unknown', commit: 'unknown', node: 'unknown' };

/** Has its own registry, so that two in one process do not collide. Shows one role's metrics (`docs/metrics.md`), or both. */
export function createMetrics(
  role?: RoleName,
  watches: WatchesMeasured = noWatches,
  build: BuildLabels = unknownBuild,
  /** The seed's address at present. */
  server: () => string = () => '',
): Metrics {
  const registry = new Registry();
  // The other role's metrics would stay at zero: they go to a registry that nobody reads.
  const elsewhere = new Registry();
  const instruments = makeInstruments((metric) =>
    role === undefined || metric.role === undefined || metric.role === role ? registry : elsewhere,
  );
  const hostOf = hostReader();
  instruments.buildInfo.set({ ...build }, 1);
  makeFirstSeries(instruments, { role, streams: watches.names });

  return {
    observe: countTurns(instruments),
    onSeedRequest({ verb, resource, code, method, took }) {
      instruments.seedRequests.inc({ verb, resource, code });
      const host = hostOf(server());
      instruments.restRequests.inc({ code: /^\d/.test(code) ? code : '<error>', method, host });
      instruments.restDuration.observe({ verb: method, host }, Math.max(0, took) / 1_000);
    },
    onShootRequest: ({ code }) => instruments.shootRequests.inc({ code: knownCode(code) }),
    onRequestThrottled: (target) => instruments.throttledRequests.inc({ target }),
    onRequestHeld: ({ by, lane }) => instruments.heldRequests.inc({ by, lane }),
    onScaleUpsSlowed: () => instruments.slowedScaleUps.inc(),
    onWatchRestart: (resource) => instruments.watchRestarts.inc({ resource }),
    onObjectDropped: (resource) => instruments.objectsDropped.inc({ resource }),
    onLeader: (leads) => instruments.leader.set(leads ? 1 : 0),
    onStrays(shoots) {
      instruments.strays.reset();
      for (const shoot of shoots) instruments.strays.inc({ shoot });
    },
    onElected: (name, leads) => instruments.masterStatus.set({ name }, leads ? 1 : 0),
    onJournalDropped({ reason, turns, bytes }) {
      instruments.journalDroppedTurns.inc({ reason }, turns);
      instruments.journalDroppedBytes.inc({ reason }, bytes);
    },
    onJournalWriteFailed: () => instruments.journalWriteFailures.inc(),
    onLogLineDropped: () => instruments.logLinesDropped.inc(),
    onObserverFault: (observer) => instruments.observerFaults.inc({ observer }),
    onEventDropped: (reason) => instruments.eventsDropped.inc({ reason }),
    onInspector: {
      onReaders: (count) => instruments.inspectorReaders.set(count),
      onRefused: () => instruments.inspectorReadersRefused.inc(),
      onMissed: (events) => instruments.inspectorEventsMissed.inc(events),
    },
    contentType: registry.contentType,
    text: async () => {
      for (const [resource, out] of watches.outFor()) instruments.watchOut.set({ resource }, out / 1_000);
      instruments.watchRefused.reset();
      for (const resource of watches.refused()) instruments.watchRefused.set({ resource }, 1);
      return (await registry.metrics()) + (await processMetrics.metrics());
    },
  };
}

/** As client-go has it in its metrics. There is one seed, so this has one value, or a second one after the seed moved. */
function hostReader(): (server: string) => string {
  let [last, host] = ['', ''];
  return (server) => {
    // A URL costs more to read than a request to count.
    if (server !== last) [last, host] = [server, URL.parse(server)?.host ?? ''];
    return host;
  };
}

const statuses: ReadonlySet<string> = new Set(Object.keys(STATUS_CODES));

/** A shoot may answer with any of 900 numbers, and each would be a series for ever (SPEC 4.7). Words are our own. */
function knownCode(code: string): string {
  return statuses.has(code) || /^\D/.test(code) ? code : 'other';
}

/**
 * How often the event loop's delay is sampled, in milliseconds. Each sample wakes the process: at prom-client's own 10 they would be most of what it costs at
 * rest. `nodejs_eventloop_lag_*` are the lengths from one sample to the next, so a loop that is never late shows 0.1 s.
 */
const sampleEvery = 100;

/**
 * Whether the process is well: prom-client's own set, under the names that dashboards know. It belongs to the process, and not to a role in it; and its
 * observers cannot be stopped. So there is one.
 */
export const processMetrics = new Registry();
collectDefaultMetrics({
  register: processMetrics,
  eventLoopMonitoringPrecision: sampleEvery,
  gcDurationBuckets: [0.001, 0.01, 0.1, 1],
});
