import type { ClusterAnswer, ClusterReading } from '../../../domain/prober/cluster-view.ts';
import { counted } from '../../words/plain-words.ts';

/** `Cluster seen: Reconcile Succeeded, 2 worker pools`. */
export function clusterWords(reading: ClusterReading): string {
  if (!reading.readable) return `Cluster unreadable: ${reading.problem}`;
  const { cluster } = reading;
  const marks = [
    cluster.deleting && 'deleting',
    cluster.hibernationEnabled && 'hibernation enabled',
    cluster.hibernated && 'hibernated',
  ].filter((mark) => mark !== false);
  const operation =
    cluster.lastOperation === undefined
      ? 'no last operation'
      : `${cluster.lastOperation.type} ${cluster.lastOperation.state}`.trim();
  return `Cluster seen: ${[operation, counted(cluster.workers.length, 'worker pool'), ...marks].join(', ')}`;
}

/** The same of a Cluster that was asked for while its stream was out (SPEC 3.5). */
export function askedClusterWords(answer: ClusterAnswer): string {
  switch (answer.outcome) {
    case 'read':
      return clusterWords(answer.reading);
    case 'gone':
      return 'the Cluster is gone';
    case 'failed':
      return `the Cluster could not be asked for: ${answer.detail}`;
  }
}
