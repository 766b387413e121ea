import type { ShootNamespace } from '../../../src/domain/names.ts';
import type { Instant, Millis } from '../../../src/domain/time.ts';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import type { Law } from '../law.ts';
import { clusterWordOf, type ClusterWord } from './cluster-word.ts';
import { blinding, longestBlindness } from './troubles.ts';
import { UnwatchedClusters } from './unwatched-clusters.ts';

/** What was on its way within the process may still go out. */
const leastLag: Millis = 500;

const unaware = [...blinding, 'a process had just begun'] as const;

/** What a Cluster says, since when, and when it last let a probe start, or stopped one for long enough to be heard. */
type Course = { word: ClusterWord; since: Instant; startedAt: Instant; stoppedAt: Instant };

/** A shoot is asked only while its Cluster lets it: not once it is ruled out, and not before a probe may start. */
export const askedShoots: Law = {
  name: '3.1 3.2 a shoot is asked only while its Cluster lets it',
  begin(scene, troubles) {
    const courses = new Map<ShootNamespace, Course>();
    const beganAt = new Map<string, Instant>();
    const { there, watchLag } = scene.plan.links.seed;
    // A probe that was asked before is carried out to its end.
    const lag = leastLag + watchLag[1] + 2 * there[1] + scene.config.probeTimeout;
    const unwatched = new UnwatchedClusters();
    const counts = { 'shoots asked once their Cluster let them': 0, 'shoots asked while they came up': 0 };

    const says = (shoot: ShootNamespace, word: ClusterWord, at: Instant): void => {
      const course = courses.get(shoot);
      if (course?.word === word) return;
      const stoppedAt = course?.word === 'stop' && at - course.since > lag ? at : (course?.stoppedAt ?? -Infinity);
      const startedAt = course?.word === 'start' ? at : (course?.startedAt ?? -Infinity);
      courses.set(shoot, { word, since: at, startedAt, stoppedAt });
    };

    return {
      hear(observation) {
        unwatched.hear(observation);
        const { at } = observation;
        if (observation.kind === 'process' && (observation.did === 'started' || observation.did === 'resumed'))
          beganAt.set(observation.process, at);
        if (observation.kind === 'change' && observation.of === kinds.cluster) {
          const { type, revision } = observation.change;
          says(revision.key, type === 'DELETED' ? 'stop' : clusterWordOf(revision.object), at);
        }
        if (observation.kind !== 'request' || observation.to === undefined || unwatched.has(at)) return undefined;
        const { process, to } = observation;
        const course = courses.get(to);
        if (course === undefined) return undefined;
        const began = beganAt.get(process) ?? -Infinity;
        if (course.word === 'start') counts['shoots asked once their Cluster let them'] += 1;
        if (course.word === 'keep') counts['shoots asked while they came up'] += 1;
        // While the stream of Clusters is out, probes go on: they change nothing, and the Cluster is read before anything is scaled (3.5).
        if (troubles.has(process, Math.max(course.since, began) - longestBlindness, unaware)) return undefined;
        if (course.word === 'stop') {
          const late = at - Math.max(course.since, began);
          return late <= lag ? undefined : `${process} asked ${to} ${late} ms after its Cluster had ruled it out`;
        }
        if (course.word !== 'keep' || course.startedAt >= Math.max(began, course.stoppedAt)) return undefined;
        return `${process} asked ${to}, which no Cluster has let it since it began, or since the last stop`;
      },
      counts: () => counts,
    };
  },
};
