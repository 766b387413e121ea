import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { clusterWordOf } from './cluster-word.ts';
import { seedWriteOf } from './seed-write.ts';
import { blinding, longestBlindness } from './troubles.ts';
import { UnwatchedClusters } from './unwatched-clusters.ts';
import { isOpen } from '../link.ts';

/** What was on its way within the process may still go out. */
const leastLag: Millis = 500;

/** A process that has begun has heard nothing yet. */
const unaware = [...blinding, 'a process had just begun'] as const;

/** No write goes out for a shoot whose Cluster, in the store, has ruled it out for longer than the news of it takes to the process that writes. */
export const clustersWord: Law = {
  name: 'S3 no write against the word of the Cluster',
  begin(scene, troubles) {
    const unwatched = new UnwatchedClusters();
    const ruledOutAt = new Map<ShootNamespace, Instant>();
    /** A process that stood still, or has begun, knows nothing of what was before. */
    const beganAt = new Map<string, Instant>();
    /** By process and shoot, until when no stream and no GET (3.5) can have brought the word. */
    const deafUntil = new Map<string, Instant>();
    const knownTo = (process: string, shoot: ShootNamespace, since: Instant): Instant =>
      Math.max(since, beganAt.get(process) ?? since, deafUntil.get(`${process} ${shoot}`) ?? since);
    const { there, watchLag } = scene.plan.links.seed;
    const lag = leastLag + watchLag[1] + 2 * there[1];
    let words = 0;
    let late = 0;
    return {
      hear(observation) {
        unwatched.hear(observation);
        const { at } = observation;
        if (observation.kind === 'process' && (observation.did === 'started' || observation.did === 'resumed'))
          beganAt.set(observation.process, at);
        if (observation.kind === 'change' && observation.of === kinds.cluster) {
          const { type, revision } = observation.change;
          if (type !== 'DELETED' && !isRuledOut(revision.object)) ruledOutAt.delete(revision.key);
          else if (!ruledOutAt.has(revision.key)) {
            words += 1;
            ruledOutAt.set(revision.key, at);
          }
        }
        const write = seedWriteOf(observation);
        const since = write?.role === 'prober' ? ruledOutAt.get(write.namespace) : undefined;
        if (write === undefined || since === undefined) return undefined;
        late += 1;
        const told = unwatched.toldAt(write.process, write.namespace, { since, lag });
        const known = knownTo(write.process, write.namespace, told);
        const isBlind = troubles.has(write.process, known - longestBlindness, unaware);
        return at - known <= (isBlind ? longestBlindness : lag)
          ? undefined
          : `${write.process} wrote ${write.path} ${at - since} ms after the Cluster had ruled it out`;
      },
      look() {
        const now = scene.now();
        const isSeedWell = scene.servers().some(({ isWell }) => isWell);
        for (const { process, links } of scene.slots) {
          if (process === undefined || (isSeedWell && isOpen(links.seed))) continue;
          for (const [shoot, since] of ruledOutAt) {
            // Whoever had the time to hear it knows it, whatever came after that.
            if (now - knownTo(process.name, shoot, since) <= longestBlindness)
              deafUntil.set(`${process.name} ${shoot}`, now);
          }
        }
        return undefined;
      },
      counts: () => ({
        'Clusters that ruled out a shoot': words,
        'writes before the word of a Cluster had come': late,
      }),
    };
  },
};

function isRuledOut(cluster: unknown): boolean {
  const word = clusterWordOf(cluster);
  return word === 'stop' || word === 'unreadable';
}
