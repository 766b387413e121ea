import { readCluster } from '../../../src/domain/prober/cluster-reading.ts';

/** What a Cluster asks of its probe; `unreadable` where it says nothing that can be understood (3.4). */
export type ClusterWord = 'start' | 'keep' | 'stop' | 'unreadable';

/** By 3.1 and 3.2, said once more here: a law that asked the program's own judgement would be wrong together with it. */
export function clusterWordOf(cluster: unknown): ClusterWord {
  const reading = readCluster(cluster);
  if (!reading.readable) return 'unreadable';
  const { deleting, hibernationEnabled, hibernated, workers, lastOperation } = reading.cluster;
  const { type = '', state = '' } = lastOperation ?? {};
  if (deleting || hibernationEnabled || workers.length === 0) return 'stop';
  if (type === 'Migrate' || type === 'LiveMigrate') return 'stop';
  const isOver = type === 'Reconcile' || ((type === 'Create' || type === 'Restore') && state === 'Succeeded');
  return isOver && !hibernated ? 'start' : 'keep';
}
