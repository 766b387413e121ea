import { expect, test } from 'vitest';
import { ca, ignore, kcm, mcm, StagedShoot } from '../staged-shoot.ts';

// Times: leases are renewed every 10 s and expire after 30 s; probes come every 5 s; most outages last some 45 s.

test.concurrent('L1 L2 S4 S5 outbound traffic is cut and healed: all goes down in order, and returns', async (context) => {
  const shoot = await StagedShoot.raise(context, 'cut-and-healed');
  await shoot.isProbed();
  expect(shoot.seen.isUntouched).toBe(true);

  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual({ [kcm]: 0, [mcm]: 0, [ca]: 0 });
  expect(shoot.seen.wentDown().toSorted()).toEqual([ca, kcm, mcm]);
  expect(shoot.seen.wentDown().at(-1)).toBe(kcm);
  expect(shoot.seen.of(kcm)).toMatchObject({ marked: true, record: '2' });
  expect(shoot.seen.history.filter(({ replicas, marked }) => replicas === 0 && !marked)).toEqual([]);
  // The kube-controller-manager marks nodes from the end of the grace on, 10 s after the threshold.
  expect((await shoot.told({ line: 'shielded' }))['marginMs']).toBeGreaterThan(0);

  await shoot.nodes.heal();
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 3 && shoot.seen.isUnmarked);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1 });
  expect(shoot.seen.cameUp()).toEqual([kcm, mcm, ca]);
  await shoot.reaches('probing');
});

test.concurrent('4.4 S1 the API server is down: nothing is scaled, however long, and nothing when it returns', async (context) => {
  const shoot = await StagedShoot.raise(context, 'api-server-down');
  await shoot.isProbed();

  // The kubelets do not reach it either.
  await shoot.paths.break('internal', { kind: 'refuse' });
  shoot.nodes.cutOff();
  expect(await shoot.told({ line: 'probe fails' })).toMatchObject({ reason: 'unreachable' });
  await shoot.until('the leases are expired', () => shoot.nodes.areExpired);
  await shoot.paths.break('internal', { kind: 'hang' });
  await shoot.probed(3);
  await shoot.until('a probe timed out', async () => (await shoot.failures('timeout')) > 0);
  expect(await shoot.state()).toBe('probing');
  expect(shoot.seen.isUntouched).toBe(true);

  await shoot.nodes.heal();
  await shoot.paths.heal('internal');
  await shoot.told({ line: 'probe tells again' });
  await shoot.probed();
  expect(shoot.seen.isUntouched).toBe(true);

  // The same silence of the kubelets, with an API server that tells of it.
  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');
});

test.concurrent('4.1 S1 the Secret is no good: nothing is scaled, until it is right again', async (context) => {
  const shoot = await StagedShoot.raise(context, 'bad-secret');
  await shoot.isProbed();

  await shoot.writeSecret('no kubeconfig: [');
  shoot.nodes.cutOff();
  await shoot.told({ line: 'probe fails', reason: 'kubeconfig' });
  await shoot.until('the leases are expired', () => shoot.nodes.areExpired);
  const reached = shoot.paths.internal.connectionCount;
  const failures = await shoot.failures('kubeconfig');
  await shoot.until('three more failed', async () => (await shoot.failures('kubeconfig')) >= failures + 3);
  expect(shoot.paths.internal.connectionCount).toBe(reached);

  // One with a token that the API server does not know.
  await shoot.writeSecret(shoot.probeKubeconfig.replace(/token: .*/, 'token: none'));
  await shoot.until('it is refused', async () => (await shoot.failures('unauthorized')) >= 2);
  expect(shoot.seen.isUntouched).toBe(true);
  expect(JSON.stringify(shoot.lines())).not.toContain('no kubeconfig');

  await shoot.writeSecret();
  await shoot.reaches('scaledDown');
  await shoot.nodes.heal();
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 3 && shoot.seen.isUnmarked);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1 });
});

test.concurrent('6.7 S2 hands off what says ignore-scaling, in both directions', async (context) => {
  const shoot = await StagedShoot.raise(context, 'ignore-scaling');
  await shoot.annotate(mcm, { [ignore]: 'true' });
  await shoot.isProbed();

  shoot.nodes.cutOff();
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual({ [kcm]: 0, [mcm]: 1, [ca]: 0 });
  expect(shoot.seen.of(mcm)).toMatchObject({ marked: false, record: undefined });

  // Somebody scales it down himself, and wants it so.
  await shoot.scale(mcm, 0);
  await shoot.nodes.heal();
  await shoot.until('the others are back', () => shoot.seen.cameUp().length === 2 && shoot.seen.isUnmarked);
  await shoot.reaches('probing');
  await shoot.probed();
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 0, [ca]: 1 });

  await shoot.annotate(mcm, { [ignore]: null });
  await shoot.until('it is raised', () => shoot.seen.replicas[mcm] === 1);
});

test.concurrent('6.5 kube-controller-manager and machine-controller-manager at 0 by hand are raised again', async (context) => {
  const shoot = await StagedShoot.raise(context, 'at-0-by-hand');
  await shoot.isProbed();

  // In the order in which they are raised: a probe may come between the two.
  await shoot.scale(kcm, 0);
  await shoot.scale(mcm, 0);
  await shoot.until('both are raised', () => shoot.seen.cameUp().length === 2);
  // Nobody recorded what there was.
  expect(shoot.seen.replicas).toEqual({ [kcm]: 1, [mcm]: 1, [ca]: 1 });
  expect(shoot.seen.cameUp()).toEqual([kcm, mcm]);
  await shoot.reaches('probing');
  expect(shoot.seen.isUnmarked).toBe(true);
});
