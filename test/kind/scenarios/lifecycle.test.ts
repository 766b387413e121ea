import { expect, test } from 'vitest';
import { ca, kcm, mcm, pool, StagedShoot } from '../staged-shoot.ts';

// Which shoots are probed. Times: leases are renewed every 10 s and expire after 30 s; probes come every 5 s. A shoot that is
// not to be probed is given three times the pause between two probes to be so.

const allDown = { [kcm]: 0, [mcm]: 0, [ca]: 0 };

test.concurrent('3.1 S3 a shoot without workers is not probed', async (context) => {
  const declared = { spec: { provider: { workers: [] } } };
  const shoot = await StagedShoot.raise(context, 'worker-less', { nodes: 2, declared });
  await shoot.scale(mcm, 0);
  await shoot.isLeftAlone();
  expect(shoot.paths.internal.connectionCount).toBe(0);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 0, [ca]: 1 });

  // It is given workers, and is a shoot like any other.
  await shoot.declare({ spec: { provider: { workers: [pool] } } });
  await shoot.reaches('probing');
  await shoot.until('what is at 0 is raised', () => shoot.seen.replicas[mcm] === 1);
});

test.concurrent('3.1 3.2 S3 a shoot hibernates and wakes', async (context) => {
  const shoot = await StagedShoot.raise(context, 'hibernates');
  await shoot.isProbed();
  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');

  // Gardener scales down itself; two actors must not fight over it.
  await shoot.declare({ spec: { hibernation: { enabled: true } }, status: { hibernated: true } });
  await shoot.reaches('idle');
  await shoot.nodes.heal();
  await shoot.isLeftAlone();
  expect(shoot.seen.replicas).toEqual(allDown);

  // Awake in what is wanted, not yet in what is.
  await shoot.declare({ spec: { hibernation: { enabled: false } } });
  await shoot.operate('Reconcile', 'Processing');
  await shoot.isLeftAlone();
  expect(shoot.seen.replicas).toEqual(allDown);

  await shoot.declare({ status: { hibernated: false } });
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 3 && shoot.seen.isUnmarked);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1 });
  await shoot.reaches('probing');
});

test.concurrent("3.1 3.2 S3 a shoot's control plane migrates to this seed's neighbour, and is restored here", async (context) => {
  const shoot = await StagedShoot.raise(context, 'migrates');
  await shoot.isProbed();
  await shoot.operate('Migrate', 'Processing');
  await shoot.reaches('idle');
  shoot.nodes.cutOff();
  await shoot.until('the leases are expired', () => shoot.nodes.areExpired);
  await shoot.isLeftAlone();
  expect(shoot.seen.isUntouched).toBe(true);

  await shoot.operate('Restore', 'Processing');
  await shoot.isLeftAlone();
  expect(shoot.seen.isUntouched).toBe(true);

  await shoot.operate('Restore', 'Succeeded');
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual(allDown);
  await shoot.nodes.heal();
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 3 && shoot.seen.isUnmarked);
});

test.concurrent('3.1 S3 9.2 a shoot is deleted, and nothing of it is left', async (context) => {
  const shoot = await StagedShoot.raise(context, 'deleted');
  await shoot.isProbed();
  await shoot.declare({ metadata: { deletionTimestamp: new Date().toISOString() } });
  await shoot.reaches('idle');
  shoot.nodes.cutOff();
  await shoot.until('the leases are expired', () => shoot.nodes.areExpired);
  await shoot.isLeftAlone();
  expect(shoot.seen.isUntouched).toBe(true);
  expect(shoot.lines({ line: 'paused' })).toMatchObject([{ reason: 'the shoot is being deleted' }]);

  await shoot.removeCluster();
  await shoot.until('its series are gone', async () => (await shoot.series()).length === 0);
  await shoot.isLeftAlone();
  expect(shoot.seen.isUntouched).toBe(true);
});
