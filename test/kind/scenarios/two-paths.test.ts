import { expect, test } from 'vitest';
import { ca, kcm, mcm, StagedShoot } from '../staged-shoot.ts';

// The older generation of the configuration. Times: both paths are asked every 5 s; once the external one has failed, every 1.7 s
// until it has failed three times in a row. No lease has to expire.

const all = { [kcm]: 2, [mcm]: 1, [ca]: 1 };
const allDown = { [kcm]: 0, [mcm]: 0, [ca]: 0 };

test.concurrent.for(['refuse', 'hang'] as const)(
  '4.9 L1 L2 S4 S5 the external path fails (%s), and the kubelets are cut off: all goes down in order, and returns',
  async (kind, context) => {
    const shoot = await StagedShoot.raise(context, `external-${kind}`, { twoPaths: true });
    await shoot.isProbed();
    expect(shoot.paths.external.connectionCount).toBeGreaterThan(0);
    expect(shoot.seen.isUntouched).toBe(true);

    await shoot.paths.break('external', { kind });
    shoot.nodes.cutOff();
    await shoot.reaches('scaledDown');
    expect(shoot.seen.replicas).toEqual(allDown);
    expect(shoot.seen.wentDown().at(-1)).toBe(kcm);
    expect(shoot.seen.of(kcm)).toMatchObject({ marked: true, record: '2' });
    expect(shoot.seen.history.filter(({ replicas, marked }) => replicas === 0 && !marked)).toEqual([]);
    // The leases of the kubelets are good for a while yet.
    expect(shoot.nodes.areExpired).toBe(false);
    expect((await shoot.told({ line: 'shielded' }))['marginMs']).toBeGreaterThan(0);

    await shoot.paths.heal('external');
    await shoot.nodes.heal();
    await shoot.until('all is back', () => shoot.seen.cameUp().length === 3 && shoot.seen.isUnmarked);
    expect(shoot.seen.replicas).toEqual(all);
    expect(shoot.seen.cameUp()).toEqual([kcm, mcm, ca]);
    await shoot.reaches('probing');
  },
);

test.concurrent('4.9 S1 the internal path is down: nothing is scaled whatever the external one does, until it answers', async (context) => {
  const shoot = await StagedShoot.raise(context, 'internal-down', { twoPaths: true });
  await shoot.isProbed();

  await shoot.paths.break('internal', { kind: 'refuse' });
  await shoot.until('it failed', async () => (await shoot.failures('unreachable')) >= 1);
  const asked = shoot.paths.external.connectionCount;
  await shoot.until('it failed often enough', async () => (await shoot.failures('unreachable')) >= 5);
  await shoot.paths.break('external', { kind: 'refuse' });
  shoot.nodes.cutOff();
  await shoot.until('it failed three times more', async () => (await shoot.failures('unreachable')) >= 8);
  // The external path is not asked meanwhile.
  expect(shoot.paths.external.connectionCount).toBe(asked);
  expect(shoot.seen.isUntouched).toBe(true);
  expect(await shoot.state()).toBe('probing');

  await shoot.paths.heal('internal');
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual(allDown);

  // What is down stays down while nothing is known.
  await shoot.paths.break('internal', { kind: 'refuse' });
  await shoot.paths.heal('external');
  await shoot.nodes.heal();
  const failed = await shoot.failures('unreachable');
  await shoot.until('it failed twice', async () => (await shoot.failures('unreachable')) >= failed + 2);
  expect(shoot.seen.replicas).toEqual(allDown);

  await shoot.paths.heal('internal');
  await shoot.until('all is back', () => shoot.seen.cameUp().length === 3 && shoot.seen.isUnmarked);
  expect(shoot.seen.replicas).toEqual(all);
});

test.concurrent('4.9 one external failure, and two, are no outage: nothing is scaled', async (context) => {
  const shoot = await StagedShoot.raise(context, 'external-short', { twoPaths: true });
  await shoot.isProbed();
  await shoot.paths.break('external', { kind: 'refuse' });
  await shoot.reaches('leaseFailed');
  await shoot.paths.heal('external');
  await shoot.reaches('probing');
  await shoot.probed(3);
  expect(shoot.seen.isUntouched).toBe(true);
});
