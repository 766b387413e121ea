import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import { readCluster } from 'dependency-watchdog/domain/prober/cluster-reading.ts';
import type { Instant, Millis } from 'dependency-watchdog/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { isOpen } from '../link.ts';
import { blinding, longestBlindness } from './troubles.ts';

/** What a Cluster asks of its probe; `unreadable` where it says nothing that can be understood (3.4). */
type ClusterWord = 'start' | 'keep' | 'stop' | 'unreadable';

/** By 3.1 and 3.2, said once more here: a law that asked the program's own judgement would be wrong together with it. */
function clusterWordOf(cluster: unknown): ClusterWord {
  const reading = readCluster(cluster);
  if (!reading.readable) return 'unreadable';
  const { deleting, hibernationEnabled, hibernated, workers, lastOperation } = reading.cluster;
  const { type = '', state = '' } = lastOperation ?? {};
  if (deleting || hibernationEnabled || workers.length === 0) return 'stop';
  if (type === 'Migrate' || type === 'LiveMigrate') return 'stop';
  const isOver = type === 'Reconcile' || ((type === 'Create' || type === 'Restore') && state === 'Succeeded');
  return isOver && !hibernated ? 'start' : 'keep';
}

/** What was on its way within the process may still go out. */
const leastLag: Millis = 500;

/** A process that has begun has heard nothing yet. */
const unaware = [...blinding, 'a process had just begun'] as const;

/** No write goes out for a shoot whose Cluster, in the store, has ruled it out for longer than the news of it takes to the process that writes. */
export const clustersWord: Law = {
  name: 'S3 no write against the word of the Cluster',
  begin(scene, { troubles, breaks }) {
    const { unwatched } = troubles;
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
      process({ at, process, did }) {
        if (did === 'started' || did === 'resumed') beganAt.set(process, at);
      },
      change({ at, of, change: { type, revision } }) {
        if (of !== kinds.cluster) return;
        if (type !== 'DELETED' && !isRuledOut(revision.object)) ruledOutAt.delete(revision.key);
        else if (!ruledOutAt.has(revision.key)) {
          words += 1;
          ruledOutAt.set(revision.key, at);
        }
      },
      write({ at, process, role, namespace, path }) {
        const since = role === 'prober' ? ruledOutAt.get(namespace) : undefined;
        if (since === undefined) return;
        late += 1;
        const known = knownTo(process, namespace, unwatched.toldAt(process, namespace, { since, lag }));
        const isBlind = troubles.has(process, known - longestBlindness, unaware);
        if (at - known > (isBlind ? longestBlindness : lag))
          breaks(`${process} wrote ${path} ${at - since} ms after the Cluster had ruled it out`);
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

/** What a Cluster says, since when, and when it last let a probe start, or stopped one for long enough to be heard. */
type Course = { word: ClusterWord; since: Instant; startedAt: Instant; stoppedAt: Instant };

/** A shoot is asked only while its Cluster lets it: not once it is ruled out, and not before a probe may start. */
export const askedShoots: Law = {
  name: '3.1 3.2 a shoot is asked only while its Cluster lets it',
  begin(scene, { troubles, breaks }) {
    const courses = new Map<ShootNamespace, Course>();
    const beganAt = new Map<string, Instant>();
    const { there, watchLag } = scene.plan.links.seed;
    // A probe that was asked before is carried out to its end.
    const lag = leastLag + watchLag[1] + 2 * there[1] + scene.config.probeTimeout;
    const { unwatched } = troubles;
    const counts = { 'shoots asked once their Cluster let them': 0, 'shoots asked while they came up': 0 };

    const says = (shoot: ShootNamespace, word: ClusterWord, at: Instant): void => {
      const course = courses.get(shoot);
      if (course?.word === word) return;
      const stoppedAt = course?.word === 'stop' && at - course.since > lag ? at : (course?.stoppedAt ?? -Infinity);
      const startedAt = course?.word === 'start' ? at : (course?.startedAt ?? -Infinity);
      courses.set(shoot, { word, since: at, startedAt, stoppedAt });
    };

    return {
      process({ at, process, did }) {
        if (did === 'started' || did === 'resumed') beganAt.set(process, at);
      },
      change({ at, of, change: { type, revision } }) {
        if (of === kinds.cluster) says(revision.key, type === 'DELETED' ? 'stop' : clusterWordOf(revision.object), at);
      },
      request({ at, process, to }) {
        const course = to === undefined || unwatched.has(at) ? undefined : courses.get(to);
        if (course === undefined) return;
        const began = beganAt.get(process) ?? -Infinity;
        if (course.word === 'start') counts['shoots asked once their Cluster let them'] += 1;
        if (course.word === 'keep') counts['shoots asked while they came up'] += 1;
        // While the stream of Clusters is out, probes go on: they change nothing, and the Cluster is read before anything is scaled (3.5).
        if (troubles.has(process, Math.max(course.since, began) - longestBlindness, unaware)) return;
        if (course.word === 'stop') {
          const late = at - Math.max(course.since, began);
          if (late > lag) breaks(`${process} asked ${to} ${late} ms after its Cluster had ruled it out`);
        } else if (course.word === 'keep' && course.startedAt < Math.max(began, course.stoppedAt))
          breaks(`${process} asked ${to}, which no Cluster has let it since it began, or since the last stop`);
      },
      counts: () => counts,
    };
  },
};
