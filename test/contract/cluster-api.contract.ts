import { expect, test } from 'vitest';
import type { KubeClient } from '../../src/adapters/kube/kube-client.ts';
import type { ShootNamespace } from '../../src/domain/shoot-namespace.ts';
import type { ClusterApi } from '../../src/effects/ports.ts';

export type ClusterApiStage = Readonly<{
  clusters: ClusterApi;
  /** Of an administrator, to set the scene. */
  admin: KubeClient;
  /** The name of a shoot that nobody else has, without a Cluster. */
  shoot: ShootNamespace;
  /** Of the clock that the port lives by. */
  now: () => number;
}>;

const path = '/apis/extensions.gardener.cloud/v1alpha1/clusters';
const present = new AbortController().signal;

/** What every ClusterApi must do, whatever API server is behind it. `stage` sets a fresh scene for each test. */
export function clusterApiContract(stage: () => Promise<ClusterApiStage>): void {
  test('3.5 a Cluster is read as it is now, and one that is not there is gone', async () => {
    const { clusters, admin, shoot, now } = await stage();
    const read = () => clusters.readCluster(shoot, now() + 30_000, present);
    expect(await read()).toEqual({ outcome: 'gone' });
    const cluster = (enabled: boolean) => ({
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Cluster',
      metadata: { name: shoot },
      spec: { cloudProfile: {}, seed: {}, shoot: { spec: { hibernation: { enabled } } } },
    });
    await admin.request({ method: 'POST', path, body: cluster(false) });
    for (const enabled of [false, true]) {
      const contentType = 'application/merge-patch+json';
      await admin.request({ method: 'PATCH', path: `${path}/${shoot}`, body: cluster(enabled), contentType });
      expect(await read()).toMatchObject({
        outcome: 'read',
        reading: { readable: true, cluster: { hibernationEnabled: enabled } },
      });
    }
    await admin.request({ method: 'DELETE', path: `${path}/${shoot}` });
    expect(await read()).toEqual({ outcome: 'gone' });
  });

  test('3.5 a deadline that is over is a failure, not a wait', async () => {
    const { clusters, shoot, now } = await stage();
    expect(await clusters.readCluster(shoot, now() - 1, present)).toMatchObject({ outcome: 'failed' });
  });
}
