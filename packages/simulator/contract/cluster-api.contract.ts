import { expect, test } from 'vitest';
import type { ShootNamespace } from 'dependency-watchdog/domain/names.ts';
import type { ClusterApi } from 'dependency-watchdog/effects/ports.ts';

export type ClusterApiStage = Readonly<{
  clusters: ClusterApi;
  /** A shoot that nobody else has, without a Cluster. */
  shoot: ShootNamespace;
  /** Of the clock that the port lives by. */
  now: () => number;
  /** Creates the shoot's Cluster or changes it; undefined deletes it. */
  setCluster(state: 'awake' | 'hibernated' | undefined): Promise<unknown>;
}>;

const present = new AbortController().signal;

/** What every ClusterApi must do, whatever is behind it. `stage` sets a fresh scene for each test. */
export function clusterApiContract(stage: () => Promise<ClusterApiStage>): void {
  test('3.5 a Cluster is read as it is now, and one that is not there is gone', async () => {
    const { clusters, setCluster, shoot, now } = await stage();
    const read = () => clusters.readCluster(shoot, now() + 30_000, present);
    expect(await read()).toEqual({ outcome: 'gone' });
    for (const state of ['awake', 'hibernated'] as const) {
      await setCluster(state);
      expect(await read()).toMatchObject({
        outcome: 'read',
        reading: { readable: true, cluster: { hibernationEnabled: state === 'hibernated' } },
      });
    }
    await setCluster(undefined);
    expect(await read()).toEqual({ outcome: 'gone' });
  });

  test('3.5 a deadline that is over is a failure, not a wait', async () => {
    const { clusters, shoot, now } = await stage();
    expect(await clusters.readCluster(shoot, now() - 1, present)).toMatchObject({ outcome: 'failed' });
  });
}
