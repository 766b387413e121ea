import type { RoleName } from '../../../domain/names.ts';
import type { Metric, MetricList } from './metric.ts';
import { programMetrics, requestMetrics } from './program-metrics.ts';
import { scalingMetrics, shootMetrics, weederMetrics } from './role-metrics.ts';
import type { Registry } from 'prom-client';
import type { Sparing } from '../../../domain/weeder/pod.ts';
import type { WriteAnswer } from '../../../domain/prober/resource-view.ts';
import type { DeletionAnswer } from '../../../domain/weeder/pod-ledger.ts';
import type { ScaleDirection } from '../../../machines/shoot-language.ts';
import { eventDropReasons } from '../events/kube-events.ts';
import { journalKinds } from '../journal/journal-kinds.ts';
import { dropReasons } from '../journal/journal-limits.ts';
import type { ObserverName } from '../facts/turns.ts';
import type { LaneName } from '../../kube/kube-client.ts';

/** Every metric that the program has (SPEC 9.2), by the name that the code calls its instrument. */
export const metricList = {
  ...shootMetrics,
  ...scalingMetrics,
  ...requestMetrics,
  ...weederMetrics,
  ...programMetrics,
} satisfies MetricList;

/** As docs/metrics.md shows them. */
export const metricSections: Readonly<Record<string, MetricList>> = {
  'The shoots': shootMetrics,
  Scaling: scalingMetrics,
  Requests: requestMetrics,
  Weeder: weederMetrics,
  'The program itself': programMetrics,
};

/** All that the program counts and measures with, by the names of the list. */
export type Instruments = {
  readonly [Key in keyof typeof metricList]: ReturnType<(typeof metricList)[Key]['make']>;
};

/** Makes every instrument of the list. Each shows in the registry that its metric is given. */
export function makeInstruments(registryOf: (metric: Metric) => Registry): Instruments {
  const made = Object.entries<Metric>(metricList).map(([key, metric]) => [key, metric.make(registryOf(metric))]);
  return Object.fromEntries(made) as Instruments;
}

/** Every value of a label. It does not compile where one is missing. */
const all =
  <Value extends string>() =>
  <const Values extends readonly Value[]>(...values: [Value] extends [Values[number]] ? Values : never) =>
    values;

const directions = all<ScaleDirection>()('down', 'up');
const writes = all<WriteAnswer['outcome']>()('written', 'undone', 'conflict', 'missing', 'withdrawn', 'failed');
const deletions = all<DeletionAnswer['outcome']>()(
  'deleted',
  'gone',
  'replaced',
  'deletedBefore',
  'withdrawn',
  'throttled',
  'failed',
);
const sparings = all<Sparing | 'pause'>()('mirror', 'noController', 'unselected', 'pause');
const lanes = all<LaneName>()('urgent', 'healing', 'normal');
const observers = all<ObserverName>()('metrics', 'log', 'roll', 'journal', 'health', 'inspector', 'events');

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
  for (const reason of eventDropReasons) metrics.eventsDropped.inc({ reason }, 0);
  for (const reason of dropReasons) {
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
    for (const result of writes) metrics.scaleOperations.inc({ direction, result }, 0);
    metrics.missingDependants.inc({ direction }, 0);
    metrics.timedOutSteps.inc({ direction }, 0);
  }
  for (const result of deletions) metrics.deletions.inc({ result }, 0);
  for (const reason of sparings) metrics.podsSpared.inc({ reason }, 0);
}
