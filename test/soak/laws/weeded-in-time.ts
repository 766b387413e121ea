import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { asObject, type KubeObject } from '../../../src/simulator/store/kube-object.ts';
import type { Law } from '../law.ts';
import { selects, ServicesSeen } from './services-seen.ts';
import { blinding, type Reason } from './troubles.ts';
import { isLooping } from './weeded-pods.ts';

/** To list pods, for a turn, and for a place in the lane. */
const leastTime: Millis = 5_000;

const clocksDiffer: Millis = 4_000;

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
  begin(scene, troubles) {
    if (scene.plan.replicas.weeder === 0) return {};
    const { watchDuration, services: weeded } = scene.weederConfig;
    const { there, watchLag } = scene.plan.links.seed;
    /** The slice is told, pods are listed or told, and deleted. */
    const needed = leastTime + 2 * watchLag[1] + 8 * there[1];
    const services = new ServicesSeen();
    const looping = new Map<string, Looping>();
    /** When a pod of this owner was last deleted. */
    const deletedOf = new Map<string, Instant>();
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

    return {
      hear(observation) {
        services.hear(observation);
        if (observation.kind !== 'change' || observation.of !== kinds.pod) return undefined;
        const { type, revision, previous } = observation.change;
        const { object: pod } = revision;
        const { uid, deletionTimestamp } = pod.metadata;
        // A backup may have another pod of the same name.
        if (previous !== undefined && previous.object.metadata.uid !== uid)
          looping.delete(previous.object.metadata.uid);
        const owner = ownerOf(pod);
        if (type === 'DELETED' || deletionTimestamp !== undefined) deletedOf.set(owner, observation.at);
        if (type === 'DELETED' || deletionTimestamp !== undefined || !isLooping(pod)) looping.delete(uid);
        else {
          const { name, namespace = '' } = pod.metadata;
          const dependsOn = weeded.filter((service) => selects(service, pod)).map((service) => service.name);
          const createdAt = Date.parse(pod.metadata.creationTimestamp);
          const since = looping.get(uid)?.since ?? observation.at;
          looping.set(uid, { name, namespace, owner, createdAt, dependsOn, since });
        }
        return undefined;
      },
      look() {
        const now = scene.now();
        for (const [uid, pod] of looping) {
          const { name, since } = pod;
          const opened = openedFor(pod, now);
          if (opened === Infinity) continue;
          // It crashes for a reason of its own, and the rounds of its owner say when it goes.
          const deletedAt = deletedOf.get(pod.owner) ?? -Infinity;
          if (deletedAt >= opened && pod.createdAt > deletedAt - clocksDiffer) continue;
          const hinderedUntil = troubles.lastOf('weeder', hindering);
          const due = Math.max(since, opened, hinderedUntil);
          if (due > hinderedUntil) judged.add(uid);
          if (now - due > needed)
            return `${name} has crash-looped for ${Math.round(now - since)} ms, the window opened ${Math.round(now - opened)} ms ago, and nothing stands in the way`;
        }
        return undefined;
      },
      counts: () => ({ 'pods that had to go in a window': judged.size }),
    };
  },
};
