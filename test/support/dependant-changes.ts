import type { Dependant } from '../../src/domain/prober/dependant.ts';
import { readRecord } from '../../src/domain/prober/due-change.ts';
import { readResource } from '../../src/domain/prober/resource-view.ts';
import type { ShootNamespace } from '../../src/domain/names.ts';
import type { Instant } from '../../src/domain/time.ts';
import type { EmbeddedSeed } from '@dwd/simulator/embedded-seed.ts';
import { type ResourceKind, workloadNumbers } from '@dwd/simulator/store/resource-kind.ts';
import type { Revision } from '@dwd/simulator/store/revision.ts';

type SeenDependant = Readonly<{
  desired: number;
  ready: number;
  marked: boolean;
  record: string | undefined;
  ignored: boolean;
}>;

/** A change that somebody wrote to a dependant's replicas or annotations, not to its status. */
export type DependantChange = Readonly<{
  at: Instant;
  shoot: ShootNamespace;
  name: string;
  /** Undefined if it was missing. */
  before: SeenDependant | undefined;
  /** Undefined if it is gone. */
  after: SeenDependant | undefined;
  /** The replicas of every dependant of the shoot at that moment; 0 if it is missing. */
  ready: Readonly<Record<string, number>>;
  byHand: boolean;
}>;

/** Collects all writes to the dependants of a seed, and checks them for what must never happen. */
export class DependantChanges {
  readonly all: DependantChange[] = [];
  /** S2, S5: writes that the prober never should have made. */
  readonly broken: string[] = [];
  /** Called with each change as it is stored, before its writer gets an answer. */
  onChange: (change: DependantChange) => void = () => undefined;
  #byHand = false;

  constructor(seed: EmbeddedSeed, dependants: readonly Dependant[], now: () => Instant) {
    for (const { ref } of dependants) {
      const kind = seed.api.kindOf(ref.apiVersion, ref.kind);
      if (kind === undefined) continue;
      seed.api.storage.store.of(kind).onChange(({ type, revision, previous }) => {
        const { name, namespace: shoot = '' } = revision.object.metadata;
        if (name !== ref.name) return;
        const before = previous && see(kind, previous);
        const after = type === 'DELETED' ? undefined : see(kind, revision);
        if (!isWritten(before, after)) return;
        const state = (one: string) => seed.shoot(shoot).dependants.get(one);
        const ready = Object.fromEntries(dependants.map((one) => [one.ref.name, state(one.ref.name)?.ready ?? 0]));
        this.#take({ at: now(), shoot, name, before, after, ready, byHand: this.#byHand });
      });
    }
  }

  /** The writes of `work` are not the prober's. */
  byHand(work: () => void): void {
    this.#byHand = true;
    try {
      work();
    } finally {
      this.#byHand = false;
    }
  }

  /** The prober's changes. */
  get ours(): readonly DependantChange[] {
    return this.all.filter(({ byHand }) => !byHand);
  }

  /** `kube-controller-manager 2→0`, in order: how the prober changed the replicas. */
  scalings(shoot?: ShootNamespace): readonly string[] {
    return this.ours
      .filter((change) => shoot === undefined || change.shoot === shoot)
      .flatMap(({ name, before, after }) =>
        before?.desired === after?.desired ? [] : [`${name} ${before?.desired}→${after?.desired}`],
      );
  }

  #take(change: DependantChange): void {
    this.all.push(change);
    this.onChange(change);
    const { byHand, before, after, shoot, name, at } = change;
    if (byHand || before === undefined || after === undefined) return;
    const said = `${shoot}/${name} at ${at}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`;
    if (before.ignored && before.desired !== after.desired) this.broken.push(`S2 ${said}`);
    const recorded = after.marked && readRecord(after.record) !== undefined;
    if (after.desired === 0 && before.desired > 0 && !recorded) this.broken.push(`S5 ${said}`);
    if (before.marked && after.desired === 0 && !after.marked && !after.ignored) this.broken.push(`S5 ${said}`);
  }
}

function see(kind: ResourceKind, { object }: Revision): SeenDependant {
  const { desired, ready } = workloadNumbers(kind, object);
  const { marked, record, ignored } = readResource(object);
  return { desired, ready, marked, record, ignored };
}

function isWritten(before: SeenDependant | undefined, after: SeenDependant | undefined): boolean {
  if (before === undefined || after === undefined) return true;
  return (
    before.desired !== after.desired ||
    before.marked !== after.marked ||
    before.record !== after.record ||
    before.ignored !== after.ignored
  );
}
