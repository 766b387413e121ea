import { expect, test } from 'vitest';
import type { RoleName } from '../../src/domain/names.ts';
import type { Millis } from '../../src/domain/time.ts';
import { kinds } from '@dwd/simulator/store/embedded-kinds.ts';
import { metricsOf, readyOf } from './served.ts';
import { originalReplicas, quickConfig, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { mark } from '@dwd/testing/stage.ts';

/** Long enough for a process that gets no CPU for seconds, short enough to wait for. */
const leaseDuration: Millis = 10_000;
const renewDeadline: Millis = 8_000;

/** For tests in which a lead runs out; all others take Gardener's times, which no busy machine comes near. */
const electionFlags: readonly string[] = [
  '--enable-leader-election',
  `--leader-elect-lease-duration=${leaseDuration}ms`,
  `--leader-elect-renew-deadline=${renewDeadline}ms`,
  '--leader-elect-retry-period=500ms',
];

/** One that leads, and one that stands by; both know the seed. */
async function leaderAndStandby(stage: SeedStage, role: RoleName) {
  const leader = stage[role]('one', ...electionFlags);
  await leader.line('leadership', { leadership: 'leading' });
  const standby = stage[role]('two', ...electionFlags);
  await standby.line('leadership', { leadership: 'standby' });
  for (const one of [leader, standby]) await one.line('the first lists of the seed are in');
  return { leader, standby };
}

const renewedAt = (stage: SeedStage, role: RoleName): number => Date.parse(String(stage.leaseOf(role)?.['renewTime']));

test.concurrent('8, S6, 6.10 a leader that is killed in an outage: the standby leads once the Lease has run out, not before, and heals it', async (context) => {
  const stage = await seedStage(context);
  const { leader, standby } = await leaderAndStandby(stage, 'prober');
  await leader.line('state changed', { to: 'probing' });
  stage.cutOff();
  await stage.until(() => stage.writes('one').length > 0, 'the first scale-down');
  leader.kill('SIGKILL');
  await leader.end();
  const lastRenewal = renewedAt(stage, 'prober');
  expect(stage.lease?.['leaseDurationSeconds']).toBe(leaseDuration / 1_000);

  const led = Date.parse((await standby.line('leadership', { leadership: 'leading' })).ts);
  expect(led - lastRenewal).toBeGreaterThanOrEqual(leaseDuration);
  expect(stage.lease).toMatchObject({ leaseTransitions: 1 });
  await standby.line('state changed', { to: 'scaledDown' });
  stage.heal();
  await standby.line('state changed', { from: 'scalingUp', to: 'probing' });
  expect(stage.replicas()).toEqual(originalReplicas);
  expect(stage.annotations()).toEqual([]);
  expect(stage.writes('two').every(({ at }) => at >= lastRenewal + leaseDuration)).toBe(true);
});

test.concurrent('8, S6 a leader that cannot renew writes nothing after its deadline, and ends with code 1', async (context) => {
  const stage = await seedStage(context, { configText: quickConfig.replace('500ms', '200ms') });
  const leader = stage.prober('one', ...electionFlags);
  await leader.line('state changed', { to: 'probing' });
  // Somebody raises it whenever it is down: there is always something to write, with every verdict (SPEC 6.9).
  stage.seed.api.storage.store.of(kinds.deployment).onChange(({ revision }) => {
    if (revision.object.metadata.name !== 'kube-controller-manager') return;
    if (revision.object.metadata.annotations?.[mark] === undefined) return;
    queueMicrotask(() => stage.shoot.dependants.scale('kube-controller-manager', 1));
  });
  stage.cutOff();
  await stage.until(() => stage.writes().length > 6, 'writes again and again');

  stage.seed.api.setFault({ kind: 'status', code: 500 }, ({ resource }) => resource === 'leases');
  const lastRenewal = renewedAt(stage, 'prober');
  const { code } = await leader.end();
  expect(code).toBe(1);
  await leader.line('leadership', { leadership: 'lost' });
  await leader.line('the prober ends', { why: 'the lead is lost' });
  const after = stage.writes().filter(({ at }) => at > lastRenewal);
  // The wish to write was there until the end, and nothing followed what was under way then: one write a dependant.
  expect(after.length).toBeGreaterThan(0);
  const late = after.filter(({ at }) => at > lastRenewal + renewDeadline);
  expect(late.length).toBeLessThanOrEqual(Object.keys(originalReplicas).length);
});

const namespace = 'shoot--a--one';
const service = 'kube-apiserver';
const labels = { role: 'controller' };

test.concurrent('8, S6, 9.3 only the leader watches pods and deletes; the standby is ready, and takes over once the killed leader’s Lease has run out, not before', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const { plain, seed } = stage;
  plain.slice(namespace, service, [false]);
  plain.add(namespace, 'first', { labels });
  const { leader, standby } = await leaderAndStandby(stage, 'weeder');
  expect(await readyOf(standby)).toBe(200);
  plain.slice(namespace, service, [true]);
  await leader.line('pod deleted', { pod: 'first' });
  await context.expect.poll(() => metricsOf(leader)).toMatchObject({ dwd_leader: 1, dwd_weeders_active: 1 });
  await context.expect.poll(() => metricsOf(standby)).toMatchObject({ dwd_leader: 0, dwd_weeders_active: 0 });
  expect(stage.asked.filter(({ user, resource }) => user === 'two' && resource === 'pods')).toEqual([]);

  leader.kill('SIGKILL');
  await leader.end();
  const lastRenewal = renewedAt(stage, 'weeder');
  plain.add(namespace, 'second', { labels });
  const led = Date.parse((await standby.line('leadership', { leadership: 'leading' })).ts);
  expect(led - lastRenewal).toBeGreaterThanOrEqual(leaseDuration);
  // What it finds available gets a window of its own: it cannot know how much of the other's was left.
  await standby.line('pod deleted', { pod: 'second' });
  await context.expect.poll(() => metricsOf(standby)).toMatchObject({ dwd_leader: 1, dwd_weeders_active: 1 });
  expect(stage.writes('two').every(({ at }) => at >= lastRenewal + leaseDuration)).toBe(true);
  expect(stage.writes().map(({ user, name }) => `${user} ${name}`)).toEqual(['one first', 'two second']);
  expect(seed.api.connections).toBeGreaterThan(0);
});
