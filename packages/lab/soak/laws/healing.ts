import { isDeepStrictEqual } from 'node:util';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { readCluster } from 'dependency-watchdog/domain/prober/cluster-reading.ts';
import { writesAtOnce } from 'dependency-watchdog/domain/prober/dependant.ts';
import { readRecord } from 'dependency-watchdog/domain/prober/due-change.ts';
import { judgeLifecycle } from 'dependency-watchdog/domain/prober/cluster-view.ts';
import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import { readResource } from 'dependency-watchdog/domain/prober/resource-view.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { workloadNumbers, type ResourceKind } from '@dwd/simulator/store/resource-kind.ts';
import type { Law } from '../law.ts';
import type { Scene } from '../scene.ts';
import type { SeedPlan } from '../seed-plan.ts';
import { everyReason, silence, type Reason } from './troubles.ts';

const scalable = Object.values<ResourceKind>(kinds).filter(({ scale }) => scale !== undefined);

/** Once calm has lasted: every dependant of a probed shoot is up again, as it was unless somebody else changed it, and bears no mark. */
export const asBefore: Law = {
  name: 'L1 all is as before',
  begin(scene, { breaks }) {
    const first = new Map(eachDependant(scene).map(({ key, replicas }) => [key, replicas]));
    /** What an operator or gardenlet scaled or annotated has its own story. */
    const changedByOthers = new Set<string>();
    return {
      dependant({ change, of }) {
        if (change.writer !== undefined) return;
        const { object } = change.revision;
        const key = `${of.plural}/${change.revision.key}`;
        const previous = change.previous?.object;
        if (
          change.type !== 'MODIFIED' ||
          previous === undefined ||
          workloadNumbers(of, object).desired !== workloadNumbers(of, previous).desired ||
          !isDeepStrictEqual(object.metadata.annotations, previous.metadata.annotations)
        )
          changedByOthers.add(key);
      },
      settled() {
        if (!scene.slots.some(({ role }) => role === 'prober')) return;
        for (const { key, shoot, replicas, ready, view } of eachDependant(scene)) {
          if (view.ignored || !isProbed(scene, shoot)) continue;
          const told = `${key} has ${replicas} replicas, ${ready} of them ready, ${JSON.stringify(view)}`;
          if (view.marked) breaks(`a mark is left: ${told}`);
          if (changedByOthers.has(key)) continue;
          if (replicas !== first.get(key) || ready < replicas) breaks(`it had ${first.get(key)}: ${told}`);
          if (readRecord(view.record) !== undefined) breaks(`a record is left: ${told}`);
        }
      },
    };
  },
};

function eachDependant({ seed, config }: Scene) {
  const names = new Set(config.dependants.map(({ ref }) => ref.name));
  return scalable.flatMap((kind) =>
    seed.api.storage.store
      .of(kind)
      .list()
      .filter(({ object }) => names.has(object.metadata.name))
      .map(({ key, object }) => {
        const { desired, ready } = workloadNumbers(kind, object);
        return {
          key: `${kind.plural}/${key}`,
          shoot: object.metadata.namespace ?? '',
          replicas: desired,
          ready,
          view: readResource(object),
        };
      }),
  );
}

/** A shoot that 3.1 and 3.2 have probed whoever starts anew. */
function isProbed({ seed }: Scene, shoot: string): boolean {
  const cluster = seed.api.storage.store.of(kinds.cluster).get(shoot);
  const reading = cluster === undefined ? undefined : readCluster(cluster.object);
  return reading?.readable === true && judgeLifecycle(reading.cluster).kind === 'start';
}

/** While something is down by our hand, the next probe is due 5 s after the last (4.6). */
const betweenProbes: Millis = 5_000;
/** A kubelet that can renew does so within 10.4 s. */
const renewedWithin: Millis = 11_000;
/** Pods come up, and a controller looks at its spec. */
const podsUp: Millis = 3_000;
/** A scale that has to be asked for is asked for so often while the prober waits (6.6). */
const askedEach: Millis = 1_000;
const slack: Millis = 10_000;

const reasons = [...everyReason, silence] as const;

/** Once kubelets can renew again, or paths answer, all that bears a mark goes up, as soon as delays and pods let it, wherever nothing was done to the seed that explains why not. */
export const healedInTime: Law = {
  name: '4.6 6.2 what is back goes up at once',
  begin(scene, { troubles, breaks }) {
    const neededAtOnce = neededFor(scene.config, scene.plan);
    const down = new Map<string, ShootNamespace>();
    const brokenAt = new Map<ShootNamespace, Instant>();
    /** The way up waits for what is missing (6.8). */
    const missing = new Map<string, ShootNamespace>();
    const descents = new Map<ShootNamespace, Descents>();
    let healed = 0;

    const isBroken = (shoot: (typeof scene.seed.shoots)[number]): boolean =>
      shoot.kubelets.isImpaired ||
      (hasTwoPaths(scene.config) && (['internal', 'external'] as const).some((path) => shoot.paths[path].fault));

    return {
      dependant({ at, of, change: { type, revision } }) {
        const { key, object } = revision;
        const shoot = object.metadata.namespace ?? '';
        if (type === 'DELETED') missing.set(key, shoot);
        else missing.delete(key);
        const { marked, ignored } = readResource(object);
        const isDown = marked && !ignored && workloadNumbers(of, object).desired === 0;
        if (type !== 'DELETED' && isDown) {
          if (!down.has(key)) descents.set(shoot, descended(descents.get(shoot), at));
          down.set(key, shoot);
        } else if (down.delete(key)) {
          healed += 1;
          const before = descents.get(shoot);
          if (before !== undefined) descents.set(shoot, { ...before, raised: true });
        }
      },
      look() {
        const now = scene.now();
        for (const shoot of scene.seed.shoots) if (isBroken(shoot)) brokenAt.set(shoot.name, now);
        for (const shoot of missing.values()) brokenAt.set(shoot, now);
        for (const [key, shoot] of down) {
          const since = Math.max(brokenAt.get(shoot) ?? -Infinity, scene.startedAt);
          const needed = neededAtOnce + waitOfReturn(descents.get(shoot)?.count ?? 0);
          if (now - since <= needed || troubles.reasonAt(shoot, now - needed, reasons) !== undefined) continue;
          breaks(
            `${key} is still at 0 ${Math.round(now - since)} ms after ${shoot} was back, ${needed} ms are enough, nothing stood in the way, and ${troubles.leader} led`,
          );
        }
      },
      counts: () => ({ 'dependants that came up again': healed }),
    };
  },
};

/** Ways down of a shoot, each within ten minutes of the one before, as the store shows them. */
type Descents = Readonly<{ lastAt: Instant; count: number; raised: boolean }>;

export const tenMinutes: Millis = 600_000;

/** Whatever goes down after something was raised is another way down. */
function descended(before: Descents | undefined, at: Instant): Descents {
  if (before === undefined || at - before.lastAt >= tenMinutes + slack) return { lastAt: at, count: 1, raised: false };
  return before.raised ? { lastAt: at, count: before.count + 1, raised: false } : before;
}

/** How long a return waits after so many ways down, each within ten minutes of the one before (6.5). */
export function waitOfReturn(count: number): Millis {
  return count < 2 ? 0 : Math.min(120_000, 15_000 * 2 ** (count - 2));
}

/** From healing until the last dependant is written, level by level. */
function neededFor(config: ProberConfig, { links: { seed, shoot } }: SeedPlan): Millis {
  const { successThreshold, dependants, probeInterval, backoffJitterFactor } = config;
  const levels = new Map<number, Millis>();
  for (const { ref, scaleUp } of dependants) {
    const write = writesAtOnce(ref) ? 2 * seed.there[1] : 6 * seed.there[1] + 2 * askedEach;
    const taken = scaleUp.initialDelay + write + 2 * seed.watchLag[1] + podsUp;
    levels.set(scaleUp.level, Math.max(taken, levels.get(scaleUp.level) ?? 0));
  }
  const trips = 10 * Math.max(seed.there[1], shoot.there[1]);
  // The first verdict may come at a regular probe: the budget of the seed gives out what there is.
  const probes = probeInterval * (1 + backoffJitterFactor) + successThreshold * (betweenProbes + trips);
  const kubelets = hasTwoPaths(config) ? 0 : renewedWithin;
  return kubelets + probes + [...levels.values()].reduce((sum, taken) => sum + taken, 0) + slack;
}

/** For the pods of the lower levels, which have to be up first. */
const forPods: Millis = 60_000;

const others: readonly Reason[] = [...everyReason, silence];
const foreign = others.filter((reason) => reason !== 'a dependant was ignored, or written by others');

/** A mark does not stay on a dependant that is ignored, where nothing keeps the prober from its work. */
export const handsOff: Law = {
  name: '6.7 no mark stays on what is ignored',
  begin(scene, { troubles, breaks }) {
    const since = new Map<string, Readonly<{ shoot: ShootNamespace; at: Instant }>>();
    let unmarked = 0;
    const { probeInterval, backoffJitterFactor, dependants } = scene.config;
    const delays = dependants.reduce((sum, { scaleUp }) => sum + scaleUp.initialDelay, 0);
    const within = forPods + delays + 2 * probeInterval * (1 + backoffJitterFactor);
    const isProbed = (shoot: ShootNamespace): boolean => {
      const reading = readCluster(scene.seed.api.storage.store.of(kinds.cluster).get(shoot)?.object);
      return reading.readable && judgeLifecycle(reading.cluster).kind === 'start';
    };
    return {
      dependant({ change, at }) {
        const { key, object } = change.revision;
        const { ignored, marked } = readResource(object);
        if (change.type !== 'DELETED' && ignored && marked) {
          if (!since.has(key)) since.set(key, { shoot: object.metadata.namespace ?? '', at });
        } else if (since.delete(key) && ignored && change.writer !== undefined) unmarked += 1;
      },
      look() {
        for (const [key, { shoot, at }] of since) {
          if (scene.now() - at < within || !isProbed(shoot)) continue;
          if (troubles.reasonAt(shoot, scene.now() - within, foreign) === undefined)
            breaks(`${key} is ignored, and has borne a mark for ${scene.now() - at} ms`);
        }
      },
      counts: () => ({ 'marks taken from what is ignored': unmarked }),
    };
  },
};
