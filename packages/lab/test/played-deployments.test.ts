import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { PlayedDeployments } from '../meltdown/played-deployments.ts';
import type { RealApiServer } from '../real/api-server.ts';

type OnEvent = Parameters<RealApiServer['watch']>[1];

/** A pod takes two seconds to come. */
const patience = { timeout: 10_000 };

/** One Deployment of a seed that tells only what it is told, and the process behind it. */
function played() {
  const settled: object[] = [];
  const done: string[] = [];
  let tell: OnEvent | undefined;
  const seed = {
    watch: (_path: string, onEvent: OnEvent) => {
      tell = onEvent;
      return new Promise<never>(() => undefined);
    },
    operator: {
      apps: {
        patchNamespacedDeploymentStatus: async ({ body }: { body: { status: Record<string, number> } }) => {
          const { observedGeneration, readyReplicas } = body.status;
          settled.push({ observedGeneration, readyReplicas });
        },
      },
    },
  } as unknown as RealApiServer;
  const process = { start: async () => void done.push('start'), end: async () => void done.push('end') };
  const deployments = new PlayedDeployments(seed, { behind: new Map([['shoot/manager', process]]) });
  void deployments.follow();
  onTestFinished(() => deployments.stop());
  return {
    done,
    settled,
    /** The rest of its status is of no interest here. */
    shows: (generation: number, replicas: number, observedGeneration = 0) => {
      const metadata = { name: 'manager', namespace: 'shoot', generation };
      tell?.({ type: 'MODIFIED', object: { metadata, spec: { replicas }, status: { observedGeneration } } });
    },
    scalings: () => deployments.scalings('shoot', 0).map(({ replicas }) => replicas),
  };
}

test('a write of annotations alone, while a pod comes, neither keeps it from coming nor makes it ready sooner', async () => {
  const { shows, done, settled, scalings } = played();
  shows(1, 0, 1);
  shows(2, 2);
  shows(3, 2);
  await pause(500);
  expect([done, settled]).toEqual([[], []]);
  await expect.poll(() => settled, patience).toEqual([{ observedGeneration: 3, readyReplicas: 2 }]);
  shows(4, 2);
  await expect.poll(() => settled.at(-1), patience).toEqual({ observedGeneration: 4, readyReplicas: 2 });
  expect([done, scalings()]).toEqual([['start'], [0, 2]]);
});

test('what is scaled to 0 before its pod came does not start', async () => {
  const { shows, done, settled } = played();
  shows(1, 0, 1);
  shows(2, 1);
  await pause(500);
  shows(3, 0);
  await pause(2_500);
  expect([done, settled]).toEqual([['end'], [{ observedGeneration: 3, readyReplicas: 0 }]]);
});
