import type { WriteAnswer } from '../../domain/prober/resource-change.ts';
import type { DeletionAnswer } from '../../domain/weeder/deletion.ts';
import type { ScaleDirection } from '../../machines/shoot-language.ts';
import type { EventDropReason } from '../events/kube-events.ts';
import { journalKinds } from '../journal/journal-kinds.ts';
import type { DropReason } from '../journal/journal-limits.ts';
import type { ObserverName } from '../turns/observe-turns.ts';
import type { LaneName } from '../kube/kube-client.ts';
import type { CommonInstruments } from './common-instruments.ts';
import type { ShootInstruments } from './shoot-instruments.ts';
import type { WeederInstruments } from './weeder-instruments.ts';

/** Every value of a label. The compiler keeps the table complete. */
function all<Value extends string>(table: Readonly<Record<Value, true>>): readonly string[] {
  return Object.keys(table);
}

const directions = all<ScaleDirection>({ down: true, up: true });
const writeResults = all<WriteAnswer['outcome']>({
  written: true,
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
const eventDrops = all<EventDropReason>({ queue: true, forbidden: true, failed: true, repeated: true, fault: true });
const journalDrops = all<DropReason>({
  turnBytes: true,
  memoryBytes: true,
  memoryTurns: true,
  memoryShare: true,
  shootShare: true,
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
  events: true,
});

type Known = Readonly<{ role: 'prober' | 'weeder' | undefined; streams: readonly string[] }>;

/**
 * Makes each series whose labels are known in advance, at 0: `increase()` sees the first event only where the series was there before
 * (SPEC 9.2). Statuses of answers, and the names of shoots, are not known.
 */
export function makeFirstSeries(common: CommonInstruments, { role, streams }: Known): void {
  for (const target of role === 'weeder' ? ['seed'] : ['seed', 'shoot']) common.throttledRequests.inc({ target }, 0);
  for (const lane of role === 'weeder' ? ['urgent', 'normal'] : lanes)
    for (const by of ['rate', 'queue']) common.heldRequests.inc({ by, lane }, 0);
  for (const observer of observers) common.observerFaults.inc({ observer }, 0);
  for (const reason of eventDrops) common.eventsDropped.inc({ reason }, 0);
  for (const reason of journalDrops) {
    common.journalDroppedTurns.inc({ reason }, 0);
    common.journalDroppedBytes.inc({ reason }, 0);
  }
  for (const resource of streams) {
    common.watchRestarts.inc({ resource }, 0);
    common.objectsDropped.inc({ resource }, 0);
  }
  const { shoot, weeder } = journalKinds;
  const events = { ...(role === 'weeder' ? {} : shoot.events), ...(role === 'prober' ? {} : weeder.events) };
  for (const event of Object.keys(events)) common.turns.inc({ event }, 0);
}

/** The same for those that one role has. */
export function makeFirstRoleSeries(shoots: ShootInstruments, services: WeederInstruments): void {
  for (const direction of directions) {
    for (const result of writeResults) shoots.scaleOperations.inc({ direction, result }, 0);
    shoots.missingDependants.inc({ direction }, 0);
    shoots.timedOutSteps.inc({ direction }, 0);
  }
  for (const result of deletionResults) services.deletions.inc({ result }, 0);
}
