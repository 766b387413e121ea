import { STATUS_CODES } from 'node:http';
import { Registry, collectDefaultMetrics } from 'prom-client';
import type { RoleName, ShootNamespace } from '../../../domain/names.ts';
import type { Millis } from '../../../domain/time.ts';
import type { Dropped } from '../journal/journal-limits.ts';
import type { LaneName, RequestSeen } from '../../kube/kube-client.ts';
import { makeFirstSeries, makeInstruments } from './metric-list.ts';
import { countTurns } from './turn-metrics.ts';

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

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What `/metrics` shows (SPEC 9.2): the turns give most of it, the adapters call for what no turn tells. Has its own registry, so that two in one process do
 * not collide. Shows one role's metrics (`docs/metrics.md`), or both. `server`: gives the seed's address at present.
 */
export function createMetrics(
  role?: RoleName,
  watches: WatchesMeasured = noWatches,
  build: BuildLabels = unknownBuild,
  server: () => string = () => '',
) {
  const registry = new Registry();
  // The other role's metrics would stay at zero: they go to a registry that nobody reads.
  const elsewhere = new Registry();
  const counts = makeInstruments((metric) =>
    role === undefined || metric.role === undefined || metric.role === role ? registry : elsewhere,
  );
  const hostOf = hostReader();
  counts.buildInfo.set({ ...build }, 1);
  makeFirstSeries(counts, { role, streams: watches.names });

  return {
    observe: countTurns(counts),
    onSeedRequest: ({ verb, resource, code, method, took }: RequestSeen): void => {
      counts.seedRequests.inc({ verb, resource, code });
      const host = hostOf(server());
      counts.restRequests.inc({ code: /^\d/.test(code) ? code : '<error>', method, host });
      counts.restDuration.observe({ verb: method, host }, Math.max(0, took) / 1_000);
    },
    onShootRequest: ({ code }: Readonly<{ code: string }>) => counts.shootRequests.inc({ code: knownCode(code) }),
    /** Somebody answered 429. */
    onRequestThrottled: (target: 'seed' | 'shoot') => counts.throttledRequests.inc({ target }),
    /** Our own limit made a request to the seed wait, or refused it. */
    onRequestHeld: ({ by, lane }: Readonly<{ by: 'rate' | 'queue'; lane: LaneName }>) =>
      counts.heldRequests.inc({ by, lane }),
    /** The seed answered 429, and the rate of scale-ups was halved. */
    onScaleUpsSlowed: () => counts.slowedScaleUps.inc(),
    onWatchRestart: (resource: string) => counts.watchRestarts.inc({ resource }),
    /** A watch holds as many objects as it may, and left this one out. */
    onObjectDropped: (resource: string) => counts.objectsDropped.inc({ resource }),
    onLeader: (leads: boolean) => counts.leader.set(leads ? 1 : 0),
    /** By an election, whose Lease has this name. */
    onElected: (name: string, leads: boolean) => counts.masterStatus.set({ name }, leads ? 1 : 0),
    /** The shoots of all that carries the mark and is not in the configuration. */
    onStrays(shoots: readonly ShootNamespace[]): void {
      counts.strays.reset();
      for (const shoot of shoots) counts.strays.inc({ shoot });
    },
    onJournalDropped: ({ reason, turns, bytes }: Dropped): void => {
      counts.journalDroppedTurns.inc({ reason }, turns);
      counts.journalDroppedBytes.inc({ reason }, bytes);
    },
    onJournalWriteFailed: () => counts.journalWriteFailures.inc(),
    onLogLineDropped: () => counts.logLinesDropped.inc(),
    onObserverFault: (observer: string) => counts.observerFaults.inc({ observer }),
    onEventDropped: (reason: string) => counts.eventsDropped.inc({ reason }),
    /** Who reads the inspector's streams. */
    onInspector: {
      onReaders: (count: number) => counts.inspectorReaders.set(count),
      onRefused: () => counts.inspectorReadersRefused.inc(),
      onMissed: (events: number) => counts.inspectorEventsMissed.inc(events),
    },
    contentType: registry.contentType as string,
    /** The exposition text. */
    text: async (): Promise<string> => {
      for (const [resource, out] of watches.outFor()) counts.watchOut.set({ resource }, out / 1_000);
      counts.watchRefused.reset();
      for (const resource of watches.refused()) counts.watchRefused.set({ resource }, 1);
      return (await registry.metrics()) + (await processMetrics.metrics());
    },
  } as const;
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
