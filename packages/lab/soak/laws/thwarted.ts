import { writesAtOnce } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import { recordedIn } from '@dwd/testing/store-laws.ts';
import type { Law } from '../law.ts';

/**
 * The back-off allows a process so many writes on one dependant in so short a time: two that one way may need, three conflicts, one hand of another, and
 * those after 250, 500 and 1,000 ms; and the same again where the verdict turns.
 */
const most = 18;
const within: Millis = 2_000;

/** However somebody changes, swallows or undoes our writes. */
export const pacedWrites: Law = {
  name: '6.8 no dependant is written more often than its back-off allows',
  begin(_, { breaks }) {
    const written = new Map<string, readonly Instant[]>();
    let judged = 0;
    return {
      process: ({ process, did }) => {
        if (did !== 'started') for (const key of written.keys()) if (key.startsWith(`${process} `)) written.delete(key);
      },
      write({ at, process, role, path }) {
        if (role !== 'prober') return;
        const key = `${process} ${path.replace(/\/scale$/, '')}`;
        const last = [...(written.get(key) ?? []).filter((one) => at - one < within), at];
        written.set(key, last);
        judged += 1;
        if (last.length > most) breaks(`${process} wrote ${path} ${last.length} times within ${within} ms`);
      },
      counts: () => ({ 'writes that were paced': judged }),
    };
  },
};

/** A record of 1 tells no more than none does (6.5), and a kind that needs two writes raises before it takes anything away. */
export const recordsLast: Law = {
  name: '6.5 L1 mark and record go only with the replicas',
  begin(scene, { breaks }) {
    let judged = 0;
    return {
      dependant({ change: { type, writer, previous, revision }, of }) {
        if (type !== 'MODIFIED' || writer === undefined || previous === undefined) return;
        const before = readResource(previous.object);
        const after = readResource(revision.object);
        const recorded = before.marked ? recordedIn(before) : undefined;
        if (before.ignored || recorded === undefined || (after.marked && recordedIn(after) === recorded)) return;
        const { desired } = workloadNumbers(of, revision.object);
        // What was up already, and a webhook takes in the very answer, nobody could know.
        if (workloadNumbers(of, previous.object).desired >= recorded) return;
        const own = scene.config.dependants.find(({ ref }) => ref.name === revision.object.metadata.name);
        if (own === undefined || (recorded === 1 && writesAtOnce(own.ref))) return;
        judged += 1;
        if (desired < recorded)
          breaks(`${writer.user} took the record ${recorded} from ${revision.key}, which has ${desired} replicas`);
      },
      counts: () => ({ 'records that were taken away': judged }),
    };
  },
};
