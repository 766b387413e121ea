import { expect, test } from 'vitest';
import { electionFlag, roleStage } from '../support/role-stage.ts';

test('8 S6 2 a standby asks the seed for nothing but what it follows; it takes over when the leader ends, and waits for no initial delay', async () => {
  await using stage = await roleStage();
  const [shoot] = stage.seed.shoots;
  const leader = await stage.start('one', [electionFlag]);
  await stage.until(() => shoot!.api.requests.count > 0, 60_000, 'the leader probes');
  const standby = await stage.start('two', [electionFlag]);
  await stage.pass(60_000);
  const verbs = stage.asked.filter(({ user }) => user === 'two').map(({ verb }) => verb);
  expect(new Set(verbs)).toEqual(new Set(['get', 'list', 'watch']));
  expect(standby.find('leadership', { leadership: 'leading' })).toBeUndefined();
  // What its start left behind; it may wait for months.
  expect(standby.heapHeard).toEqual(['works', 'standsBy']);
  const { holder } = leader.find('leadership', { leadership: 'leading' })!;
  const lease = 'garden/dwd-prober-leader-election';
  expect(standby.find('leadership', { leadership: 'standby', lease, holder })).toBeDefined();
  expect(stage.lease).toMatchObject({ holderIdentity: holder });
  const elected = 'leader_election_master_status{name="dwd-prober-leader-election"}';
  expect(await stage.metrics(standby)).toMatchObject({ dwd_leader: 0, dwd_probes_active: 0, [elected]: 0 });
  expect(await stage.metrics(leader)).toMatchObject({ dwd_leader: 1, [elected]: 1 });

  expect(await stage.end(leader)).toBe(0);
  expect(stage.lease).toMatchObject({ holderIdentity: '' });
  const asked = shoot!.api.requests.count;
  const endedAt = stage.clock.now();
  await stage.until(() => shoot!.api.requests.count > asked, 3_000, 'the standby probes');
  // Of a shoot that it did not know it would have waited 30 s.
  expect(stage.clock.now() - endedAt).toBeLessThan(3_000);
  expect(standby.find('leadership', { leadership: 'leading' })).toBeDefined();
});

test('9.4 a standby says once an hour that it stands by: who reads its log alone must not take it for one that watches', async () => {
  await using stage = await roleStage();
  const leader = await stage.start('one', [electionFlag]);
  const standby = await stage.start('two', [electionFlag]);
  await stage.pass(3_500_000);
  const told = () => [leader, standby].map(({ lines }) => lines.filter(({ line }) => line === 'leadership').length);
  expect(told()).toEqual([1, 1]);
  await stage.pass(120_000);
  expect(told()).toEqual([1, 2]);
  expect(standby.lines.findLast(({ line }) => line === 'leadership')).toMatchObject({ leadership: 'standby' });
});

test('S6 a leader whose process stood still beyond its deadline sends no write, though no timer has fired yet', async () => {
  await using stage = await roleStage();
  const leader = await stage.start('one', [electionFlag]);
  const [shoot] = stage.seed.shoots;
  await stage.until(() => leader.find('state changed', { to: 'probing' }) !== undefined, 60_000, 'it probes');
  shoot!.cutOff();
  // In the moment in which it decides: what it sends next would come after another could lead.
  const decided = () => stage.asked.some(({ resource, verb }) => resource === 'machines' && verb === 'list');
  await stage.until(decided, 60_000, 'it looks at the Machines');
  for (const clock of [leader.wall, leader.steady]) clock.ahead += 11_000;
  await stage.until(() => leader.isOver, 60_000, 'it has noticed');
  expect(leader.code).toBe(1);
  expect(leader.find('the prober ends', { why: 'the lead is lost' })).toBeDefined();
  expect(stage.writes()).toEqual([]);
});

test('8 a leader whose wall clock is set forth or back a little leads on by its own steady clock', async () => {
  await using stage = await roleStage();
  const leader = await stage.start('one', [electionFlag]);
  await stage.pass(20_000);
  leader.wall.ahead += 3_600_000;
  await stage.pass(20_000);
  leader.wall.ahead -= 4_000;
  await stage.pass(20_000);
  expect(leader.isOver).toBe(false);
  const told = leader.lines.filter(({ line }) => line === 'leadership');
  expect(told).toMatchObject([{ leadership: 'leading', lease: 'garden/dwd-prober-leader-election' }]);
});

test('1.2 8 a Lease that is always refused is asked for no more often than the election’s own limit allows', async () => {
  await using stage = await roleStage({ permits: ({ resource }) => resource !== 'leases' });
  await stage.begin('one', [electionFlag, '--leader-elect-retry-period=1ms', '--kube-api-qps=-1']);
  await stage.pass(2_000);
  const before = stage.asked.length;
  await stage.pass(10_000);
  const tries = stage.asked.slice(before).filter(({ resource }) => resource === 'leases').length;
  expect(tries).toBeGreaterThan(20);
  expect(tries).toBeLessThanOrEqual(51);
});
