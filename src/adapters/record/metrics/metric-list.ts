import type { RoleName } from '../../../domain/names.ts';
import type { MetricList, InstrumentsOf, Metric } from './metric.ts';
import { programMetrics, requestMetrics } from './program-metrics.ts';
import { scalingMetrics, shootMetrics } from './shoot-metrics.ts';
import { weederMetrics } from './weeder-metrics.ts';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Sparing } from '../../../domain/weeder/pod.ts';
import type { WriteAnswer } from '../../../domain/prober/resource-view.ts';
import type { DeletionAnswer } from '../../../domain/weeder/pod-ledger.ts';
import type { ScaleDirection } from '../../../machines/shoot-language.ts';
import type { EventDropReason } from '../events/kube-events.ts';
import { journalKinds } from '../journal/journal-kinds.ts';
import type { DropReason } from '../journal/journal-limits.ts';
import type { ObserverName } from '../facts/turns.ts';
import type { LaneName } from '../../kube/kube-client.ts';

/** Every metric that the program has (SPEC 9.2), by the name that the code calls its instrument. */
export const metricList = {
  ...shootMetrics,
  ...scalingMetrics,
  ...requestMetrics,
  ...weederMetrics,
  ...programMetrics,
} as const satisfies MetricList;

/** As docs/metrics.md shows them. */
export const metricSections: Readonly<Record<string, MetricList>> = {
  'The shoots': shootMetrics,
  Scaling: scalingMetrics,
  Requests: requestMetrics,
  Weeder: weederMetrics,
  'The program itself': programMetrics,
};

/** All that the program counts and measures with, by the names of the list. */
export type Instruments = InstrumentsOf<typeof metricList>;

/** Makes every instrument of the list. Each shows in the registry that its metric is given. */
export function makeInstruments(registryOf: (metric: Metric) => Registry): Instruments {
  const made = Object.entries<Metric>(metricList).map(([key, metric]) => [key, instrument(metric, registryOf(metric))]);
  return Object.fromEntries(made) as Instruments;
}

function instrument({ name, kind, help, labels = [], buckets = [] }: Metric, registry: Registry) {
  const settings = { name, help, labelNames: [...labels], registers: [registry] };
  switch (kind) {
    case 'counter':
      return new Counter(settings);
    case 'gauge':
      return new Gauge(settings);
    case 'histogram':
      return new Histogram({ ...settings, buckets: [...buckets] });
  }
}

/** Every value of a label. The compiler keeps the table complete. */
function all<Value extends string>(table: Readonly<Record<Value, true>>): readonly string[] {
  return Object.keys(table);
}

const directions = all<ScaleDirection>({ down: true, up: true });
const writeResults = all<WriteAnswer['outcome']>({
  written: true,
  undone: true,
  conflict: true,
  missing: true,
  withdrawn: true,
  failed: true,
});
const deletionResults = all<DeletionAnswer['outcome']>({
  deleted: true,
  gone: true,
  replaced: true,
  deletedBefore: true,
  withdrawn: true,
  throttled: true,
  failed: true,
});
const sparings = all<Sparing | 'pause'>({ mirror: true, noController: true, unselected: true, pause: true });
const eventDrops = all<EventDropReason>({ queue: true, forbidden: true, failed: true, repeated: true, fault: true });
const journalDrops = all<DropReason>({
  turnBytes: true,
  memoryBytes: true,
  memoryTurns: true,
  memoryShare: true,
  shootShare: true,
  directoryBytes: true,
  files: true,
  backlogBytes: true,
  writeFailed: true,
});
const lanes = all<LaneName>({ urgent: true, healing: true, normal: true });
const observers = all<ObserverName>({
  metrics: true,
  log: true,
  roll: true,
  journal: true,
  health: true,
  inspector: true,
  events: true,
});

/** Of one role, or of both. */
type LabelsKnown = Readonly<{ role: RoleName | undefined; streams: readonly string[] }>;

/**
 * Makes each series whose labels are known in advance, at 0: `increase()` sees the first event only where the series was there before
 * (SPEC 9.2). Statuses of answers, and the names of shoots, are not known.
 */
export function makeFirstSeries(metrics: Instruments, { role, streams }: LabelsKnown): void {
  for (const target of role === 'weeder' ? ['seed'] : ['seed', 'shoot']) metrics.throttledRequests.inc({ target }, 0);
  for (const lane of role === 'weeder' ? ['urgent', 'normal'] : lanes)
    for (const by of ['rate', 'queue']) metrics.heldRequests.inc({ by, lane }, 0);
  for (const observer of observers) metrics.observerFaults.inc({ observer }, 0);
  for (const reason of eventDrops) metrics.eventsDropped.inc({ reason }, 0);
  for (const reason of journalDrops) {
    metrics.journalDroppedTurns.inc({ reason }, 0);
    metrics.journalDroppedBytes.inc({ reason }, 0);
  }
  for (const resource of streams) {
    metrics.watchRestarts.inc({ resource }, 0);
    metrics.objectsDropped.inc({ resource }, 0);
  }
  const { shoot, weeder } = journalKinds;
  const events = { ...(role === 'weeder' ? {} : shoot.events), ...(role === 'prober' ? {} : weeder.events) };
  for (const event of Object.keys(events)) metrics.turns.inc({ event }, 0);
  for (const state of Object.keys(shoot.states)) metrics.shoots.set({ state }, 0);
  for (const direction of directions) {
    for (const result of writeResults) metrics.scaleOperations.inc({ direction, result }, 0);
    metrics.missingDependants.inc({ direction }, 0);
    metrics.timedOutSteps.inc({ direction }, 0);
  }
  for (const result of deletionResults) metrics.deletions.inc({ result }, 0);
  for (const reason of sparings) metrics.podsSpared.inc({ reason }, 0);
}
