import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { asObject, type KubeObject } from '@dwd/simulator/store/kube-object.ts';
import { deletionFaults, isCrashLooping, selects, ServicesSeen } from '@dwd/simulator/workloads/deletion-law.ts';
import type { Law } from '../law.ts';
import { roleOf, type Seen } from '../observation.ts';
import { holderOf } from './leases.ts';
import { blinding, longestBlindness, type Reason } from './troubles.ts';

/** A pod that the weeder deletes crash-loops in that very moment, whatever the weeder has seen of it; it deletes nothing else. */
export const weededPods: Law = {
  name: 'S8 7.3 only crash-looping pods go',
  begin(_, { breaks }) {
    let deletions = 0;
    return {
      change({ of, change: { writer, previous, revision } }) {
        if (writer === undefined || roleOf(writer.user) !== 'weeder' || of === kinds.lease) return;
        if (of !== kinds.pod) return breaks(`${writer.user} wrote ${of.plural}/${revision.key}`);
        deletions += 1;
        if (!isCrashLooping(previous?.object ?? revision.object))
          breaks(`${writer.user} deleted ${revision.key}, which was not crash-looping`);
      },
      counts: () => ({ 'pods weeded': deletions }),
    };
  },
};

function noteSlice(services: ServicesSeen, { at, of, change: { type, revision } }: Seen<'change'>): void {
  if (of === kinds.endpointSlice) services.note(revision.key, type === 'DELETED' ? undefined : revision.object, at);
}

/** A weeder has become the holder of the Lease. */
function takesLead({ of, change: { writer, revision, previous } }: Seen<'change'>): boolean {
  if (of !== kinds.lease || writer === undefined || roleOf(writer.user) !== 'weeder') return false;
  return holderOf(revision.object) !== holderOf(previous?.object);
}

/** To list pods, for a turn, and for a place in the lane. */
const leastTime: Millis = 5_000;

const clocksDiffer: Millis = 4_000;
/** A creation has whole seconds. */
const clocksAgree: Millis = 1_000;

const hindering: readonly Reason[] = [...blinding, 'a process had just begun', 'a clock was wrong'];

/** A pod that crash-loops, and the services that it depends on. */
type Looping = Readonly<{
  name: string;
  namespace: string;
  owner: string;
  createdAt: Instant;
  dependsOn: readonly string[];
  since: Instant;
}>;

function ownerOf(pod: KubeObject): string {
  const [reference] = (asObject(pod['metadata'])['ownerReferences'] ?? []) as readonly { uid: string }[];
  return reference?.uid ?? '';
}

/** What the weeder is for: while the window of a service that is back is open, what crash-loops goes at once, wherever nothing was done to the seed or to the weeder that explains why not. */
export const weededInTime: Law = {
  name: '7.3 pods go at once in a window',
  begin(scene, { troubles, breaks }) {
    if (scene.plan.replicas.weeder === 0) return {};
    const { watchDuration, services: weeded } = scene.weederConfig;
    const { there, watchLag } = scene.plan.links.seed;
    /** The slice is told, pods are listed or told, and deleted. */
    const needed = leastTime + 2 * watchLag[1] + 8 * there[1];
    const services = new ServicesSeen();
    const looping = new Map<string, Looping>();
    /** When a pod of this owner was last deleted, and when the first one of the same round was: of those that it had by then. */
    const deletedOf = new Map<string, Readonly<{ at: Instant; roundBegan: Instant }>>();
    /** A weeder that starts or takes the lead knows of no round. */
    let beganAt: Instant = -Infinity;
    const judged = new Set<string>();

    /** When the first window opened that is open now, of the services that the pod depends on. */
    const openedFor = ({ namespace, dependsOn }: Looping, now: Instant): Instant => {
      const opened = dependsOn
        .map((name) => services.get(namespace, name))
        // What was down for a moment, nobody may have seen.
        .filter((service) => service !== undefined && service.downAt === Infinity && service.wasDownFor > needed)
        .map((service) => service?.upAt ?? Infinity);
      return Math.min(Infinity, ...opened.filter((at) => now - at < watchDuration));
    };

    const isClockWrong = (): boolean =>
      scene.slots.some(
        ({ name, process }) =>
          name.startsWith('weeder') && Math.abs((process?.clock.now() ?? scene.now()) - scene.now()) > clocksAgree,
      );

    return {
      process({ at, process }) {
        if (roleOf(process) === 'weeder') beganAt = at;
      },
      change(seen) {
        noteSlice(services, seen);
        const { at, of } = seen;
        const { type, revision, previous } = seen.change;
        if (takesLead(seen)) beganAt = at;
        if (of !== kinds.pod) return;
        const { object: pod } = revision;
        const { uid, deletionTimestamp } = pod.metadata;
        // A backup may have another pod of the same name.
        if (previous !== undefined && previous.object.metadata.uid !== uid)
          looping.delete(previous.object.metadata.uid);
        const owner = ownerOf(pod);
        const createdAt = Date.parse(pod.metadata.creationTimestamp);
        const isDeleted = type === 'DELETED' || deletionTimestamp !== undefined;
        if (isDeleted) {
          const last = deletedOf.get(owner);
          const began = last !== undefined && last.at >= beganAt ? last.roundBegan : -Infinity;
          deletedOf.set(owner, { at, roundBegan: createdAt > began - clocksDiffer ? at : began });
        }
        if (isDeleted || !isCrashLooping(pod)) looping.delete(uid);
        else {
          const { name, namespace = '' } = pod.metadata;
          const dependsOn = weeded.filter((service) => selects(service, pod)).map((service) => service.name);
          const since = looping.get(uid)?.since ?? at;
          looping.set(uid, { name, namespace, owner, createdAt, dependsOn, since });
        }
      },
      look() {
        const now = scene.now();
        for (const [uid, pod] of looping) {
          const { name, since } = pod;
          const opened = openedFor(pod, now);
          if (opened === Infinity) continue;
          // It crashes for a reason of its own, and the rounds of its owner say when it goes.
          const deleted = deletedOf.get(pod.owner);
          if (deleted !== undefined && deleted.at >= opened && pod.createdAt > deleted.roundBegan - clocksDiffer)
            continue;
          // Which round a pod is of, a weeder tells by its own clock and the seed's.
          if (deleted !== undefined && deleted.at >= opened && isClockWrong()) continue;
          const hinderedUntil = troubles.lastOf('weeder', hindering);
          const due = Math.max(since, opened, hinderedUntil);
          if (due > hinderedUntil) judged.add(uid);
          if (now - due > needed)
            breaks(
              `${name} has crash-looped for ${Math.round(now - since)} ms, the window opened ${Math.round(now - opened)} ms ago, and nothing stands in the way`,
            );
        }
      },
      counts: () => ({ 'pods that had to go in a window': judged.size }),
    };
  },
};

/** A deletion waits for its turn in a lane, and goes to and fro. */
const leastLag: Millis = 3_000;
/** It is noticed within half a minute, unless by the standby that has just begun. */
const lastList: Millis = 330_000;

/** A pod goes while a service that selects it is available, within a window of it, and once; by EndpointSlices and pods in the store. */
export const weedingWindows: Law = {
  name: 'S8 7.2 pods go within a window, and once',
  begin(scene, { troubles, breaks }) {
    const { watchDuration, services: weeded } = scene.weederConfig;
    const services = new ServicesSeen();
    const deletedAt = new Map<string, Instant>();
    const { there, watchLag } = scene.plan.links.seed;
    const lag = leastLag + watchLag[1] + 2 * there[1];
    /** A weeder that starts, goes on or takes the lead gives each available service a window. */
    let beganAt: Instant = -Infinity;
    /** A restored seed is listed again for the last time 5 minutes after it was noticed, and each available service gets a window then (6.6, 7.2). */
    let restoredAt: Instant = -Infinity;
    /** What came as a process stood still it hears after it. */
    const resumedAt = new Map<string, Instant>();
    let judged = 0;

    const wrongIn = (pod: KubeObject, process: string, at: Instant): string | undefined => {
      const { namespace = '', uid, name } = pod.metadata;
      const gap = troubles.has(process, at - watchDuration - longestBlindness, blinding) ? longestBlindness : lag;
      const before = deletedAt.get(uid);
      const wokeAt = resumedAt.get(process) ?? -Infinity;
      const listedAt = Math.min(at, restoredAt + lastList);
      const behind = weeded
        .filter((service) => selects(service, pod))
        .flatMap((service) => services.get(namespace, service.name) ?? [])
        .map(({ upAt, downAt }) => ({
          // After a gap a window may have begun anew: nobody knows from here.
          openedAt: gap === longestBlindness ? at : Math.max(beganAt, listedAt, upAt),
          downAt: Math.max(downAt, wokeAt),
        }));
      const deletedBefore = before !== undefined && at - before > gap;
      const deletion = { at, loopedUntil: at, ending: false, deletedBefore, services: behind };
      const [fault] = deletionFaults(deletion, { watchDuration, news: gap });
      if (fault === undefined || fault === 'no window') judged += gap === longestBlindness ? 0 : 1;
      if (fault === undefined) return undefined;
      if (fault === 'twice') return `${name} ${at - (before ?? 0)} ms after it had been deleted`;
      if (fault === 'no service') return `${name} while no service was available that it depends on`;
      return `${name} ${at - Math.max(...behind.map(({ openedAt }) => openedAt))} ms after the last window opened`;
    };

    return {
      process({ at, process, did }) {
        if (roleOf(process) === 'weeder') beganAt = at;
        if (did === 'resumed') resumedAt.set(process, at);
      },
      happening({ at, happening }) {
        if (happening.kind.startsWith('etcd restored')) restoredAt = at;
      },
      change(seen) {
        noteSlice(services, seen);
        const { at, of, change } = seen;
        const { object } = change.revision;
        const process = change.writer?.user ?? '';
        const isWeeder = process !== '' && roleOf(process) === 'weeder';
        if (takesLead(seen)) beganAt = at;
        if (of !== kinds.pod) return;
        // What a backup has brought back may go again.
        if (!isWeeder && change.type !== 'DELETED' && object.metadata.deletionTimestamp === undefined)
          deletedAt.delete(object.metadata.uid);
        if (!isWeeder) return;
        const wrong = wrongIn(object, process, change.writer?.sentAt ?? at);
        if (!deletedAt.has(object.metadata.uid)) deletedAt.set(object.metadata.uid, at);
        if (wrong !== undefined) breaks(`${process} deleted ${wrong}`);
      },
      counts: () => ({ 'pods weeded within a window': judged }),
    };
  },
};
