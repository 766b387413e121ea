import { readRecord } from '../../../src/domain/prober/due-change.ts';
import { readResource, type PresentResource } from '../../../src/domain/prober/resource-view.ts';
import { workloadNumbers } from '../../../src/simulator/store/resource-kind.ts';
import type { Law } from '../law.ts';
import type { Observation } from '../observation.ts';

type ChangeSeen = Extract<Observation, { kind: 'change' }>;

/** What a write of ours may do to a dependant, judged by the object before and after it in the store. */
export const storeWrites: Law = {
  name: 'S2 S5 6.4 6.5 no 0 without mark and record, and no replicas lost',
  begin: () => ({
    hear(observation) {
      if (observation.kind !== 'change' || observation.of.scale === undefined) return undefined;
      const { change, of } = observation;
      if (change.writer === undefined) return undefined;
      const why =
        change.type === 'MODIFIED' && change.previous !== undefined
          ? wrongIn(seen(observation, change.previous.object), seen(observation, change.revision.object), !of.custom)
          : `it was ${change.type}`;
      return why && `${change.writer.user} wrote ${change.revision.key}: ${why}`;
    },
  }),
};

function seen({ of }: ChangeSeen, object: ChangeSeen['change']['revision']['object']): PresentResource {
  return { ...readResource(object), replicas: workloadNumbers(of, object).desired };
}

/** `atOnce`: one guarded write changes all, so nobody can have come between (SPEC 6.6). */
function wrongIn(before: PresentResource, after: PresentResource, atOnce: boolean): string | undefined {
  const told = `${JSON.stringify(before)} became ${JSON.stringify(after)}`;
  if (before.ignored && atOnce)
    return before.replicas === after.replicas && before.record === after.record
      ? undefined
      : `it is ignored, and ${told}`;
  const recorded = readRecord(after.record);
  if (after.replicas === 0 && !after.ignored && (!after.marked || recorded === undefined))
    return `0 without mark and record: ${told}`;
  if (!atOnce) return undefined;
  if (before.replicas > 0 && after.replicas === 0) {
    const kept = before.marked ? readRecord(before.record) : undefined;
    return recorded === (kept ?? before.replicas) ? undefined : `the record is another: ${told}`;
  }
  if (before.replicas === 0 && after.replicas > 0)
    return after.replicas === (readRecord(before.record) ?? 1) ? undefined : `not what was recorded: ${told}`;
  return before.replicas === after.replicas ? undefined : `neither down nor up: ${told}`;
}
