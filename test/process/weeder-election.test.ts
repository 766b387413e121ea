import { expect, test } from 'vitest';
import { electionFlags, leaseDuration, renewDeadline, triesToLead } from './quick-election.ts';
import { metricsOf, readyOf } from './served.ts';
import { seedStage, type SeedStage } from './seed-stage.ts';

const namespace = 'shoot--a--one';
const service = 'kube-apiserver';
const labels = { role: 'controller' };

/** One that leads, and one that stands by and is ready. */
async function leaderAndStandby(stage: SeedStage, flags: readonly string[]) {
  const leader = stage.weeder('one', ...flags);
  await leader.line('leadership', { leadership: 'leading' });
  const standby = stage.weeder('two', ...flags);
  await standby.line('leadership', { leadership: 'standby' });
  for (const one of [leader, standby]) await one.line('the first lists of the seed are in');
  return { leader, standby };
}

const renewedAt = (stage: SeedStage): number => Date.parse(String(stage.leaseOf('weeder')?.['renewTime']));

test.concurrent('8, S6, 9.3 only the leader watches pods and deletes; the standby is ready, and takes over once the killed leader’s Lease has run out, not before', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const { plain, seed } = stage;
  plain.slice(namespace, service, [false]);
  plain.add(namespace, 'first', { labels });
  const { leader, standby } = await leaderAndStandby(stage, electionFlags);
  expect(await readyOf(standby)).toBe(200);
  plain.slice(namespace, service, [true]);
  await leader.line('pod deleted', { pod: 'first' });
  await context.expect.poll(() => metricsOf(leader)).toMatchObject({ dwd_leader: 1, dwd_weeders_active: 1 });
  await context.expect.poll(() => metricsOf(standby)).toMatchObject({ dwd_leader: 0, dwd_weeders_active: 0 });
  expect(stage.asked.filter(({ user, resource }) => user === 'two' && resource === 'pods')).toEqual([]);

  leader.kill('SIGKILL');
  await leader.end();
  const lastRenewal = renewedAt(stage);
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

test.concurrent('8, 1.4 a leader that is told to end hands over: the standby’s next try is the one that leads, and it deletes', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const { plain } = stage;
  plain.slice(namespace, service, [true]);
  const { leader, standby } = await leaderAndStandby(stage, ['--enable-leader-election']);
  leader.kill('SIGTERM');
  await stage.until(() => stage.leaseOf('weeder')?.['holderIdentity'] === '', 'the Lease is let go');
  const letGo = stage.asked.length;
  expect(await leader.end()).toMatchObject({ code: 0 });
  plain.add(namespace, 'kcm', { labels });
  await standby.line('pod deleted', { pod: 'kcm' });
  expect(triesToLead(stage, 'two', letGo)).toEqual(['get', 'update']);
});

test.concurrent('8, S6 a leader that cannot renew deletes nothing after its deadline, and ends with code 1', async (context) => {
  const stage = await seedStage(context, { shoots: 0 });
  const { plain, seed } = stage;
  plain.slice(namespace, service, [true]);
  const leader = stage.weeder('one', ...electionFlags, '--kube-api-qps=100', '--kube-api-burst=100');
  await leader.line('state changed', { to: 'recovering' });
  // Whenever one goes another comes: there is always something to delete.
  let made = 0;
  const add = () => plain.add(namespace, `pod-${made++}`, { labels });
  stage.permits = (asked) => {
    if (asked.verb === 'delete') queueMicrotask(add);
    return true;
  };
  add();
  await stage.until(() => stage.writes().length > 3, 'one deletion after the other');

  seed.api.setFault({ kind: 'status', code: 500 }, ({ resource }) => resource === 'leases');
  const lastRenewal = renewedAt(stage);
  const { code } = await leader.end();
  expect(code).toBe(1);
  await leader.line('leadership', { leadership: 'lost' });
  await leader.line('the weeder ends', { why: 'the lead is lost' });
  const after = stage.writes().filter(({ at }) => at > lastRenewal);
  // The wish to delete was there until the end, and nothing followed what was under way then: a pod, and its successor.
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter(({ at }) => at > lastRenewal + renewDeadline).length).toBeLessThanOrEqual(2);
  expect(plain.left).toHaveLength(1);
});
