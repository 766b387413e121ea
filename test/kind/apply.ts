import type { Cluster } from './cluster.ts';

/** Whatever the scenarios put into a cluster bears it, so that it can be told from what is somebody else's. */
export const scenarioLabel = 'dependency-watchdog.gardener.cloud/scenario';

/** Creates an object that bears our label; one that is there already stays as it is. */
export async function apply(cluster: Cluster, path: string, object: object): Promise<void> {
  const { metadata } = object as Readonly<{ metadata: Readonly<{ labels?: object }> }>;
  const labels = { ...metadata.labels, [scenarioLabel]: 'true' };
  await cluster.call('POST', path, { ...object, metadata: { ...metadata, labels } }, [409]);
}
