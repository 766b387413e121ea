import { expect, test } from 'vitest';
import { kinds } from '../../src/simulator/store/embedded-kinds.ts';
import { asObject, microTime } from '../../src/simulator/store/kube-object.ts';
import { createObject } from '../../src/simulator/store/object-writes.ts';
import { electionFlags, leaseDuration, renewDeadline, triesToLead } from './quick-election.ts';
import { metricsOf, readyOf } from './served.ts';
import { mark, originalReplicas, quickConfig, seedStage, type SeedStage } from './seed-stage.ts';

/** One that leads and has probed the shoot, and one that stands by and is ready. */
async function leaderAndStandby(stage: SeedStage, flags: readonly string[]) {
  const leader = stage.prober('one', ...flags);
  await leader.line('leadership', { leadership: 'leading' });
  const standby = stage.prober('two', ...flags);
  await standby.line('leadership', { leadership: 'standby' });
  await standby.line('the first lists of the seed are in');
  await leader.line('state changed', { to: 'probing' });
  return { leader, standby };
}

const renewedAt = (stage: SeedStage): number => Date.parse(String(stage.lease?.['renewTime']));

test.concurrent('8, S6, 9.2, 9.3 one leads and the other stands by, ready, without a probe or a write; after SIGTERM its next try is the one that leads', async (context) => {
  const stage = await seedStage(context);
  const { leader, standby } = await leaderAndStandby(stage, ['--enable-leader-election']);
  expect(await readyOf(standby)).toBe(200);
  await context.expect.poll(() => metricsOf(leader)).toMatchObject({ dwd_leader: 1, dwd_probes_active: 1 });
  await context.expect.poll(() => metricsOf(standby)).toMatchObject({ dwd_leader: 0, dwd_probes_active: 0 });

  // An outage and its healing are the leader's alone.
  stage.cutOff();
  await leader.line('state changed', { to: 'scaledDown' });
  stage.heal();
  await leader.line('state changed', { from: 'scalingUp', to: 'probing' });
  expect(stage.writes('one').length).toBeGreaterThan(0);
  expect(stage.writes('two')).toEqual([]);
  const stoodBy = await metricsOf(standby);
  expect(stoodBy).toMatchObject({ dwd_leader: 0, dwd_probe_duration_seconds_count: 0 });
  expect(Object.keys(stoodBy).filter((name) => name.includes('{shoot="'))).toEqual([]);

  leader.kill('SIGTERM');
  await stage.until(() => stage.lease?.['holderIdentity'] === '', 'the Lease is let go');
  const letGo = stage.asked.length;
  expect(await leader.end()).toMatchObject({ code: 0 });
  await standby.line('leadership', { leadership: 'leading' });
  const asked = stage.shoot.api.requests.count;
  await standby.line('state changed', { to: 'probing' });
  await stage.until(() => stage.shoot.api.requests.count > asked, 'a probe by the new leader');
  // Its first look since finds the Lease free, and the next thing that it asks for is the lead.
  expect(triesToLead(stage, 'two', letGo)).toEqual(['get', 'update']);
  await context.expect.poll(() => metricsOf(standby)).toMatchObject({ dwd_leader: 1, dwd_probes_active: 1 });
});

test.concurrent('8, S6, 6.10 a leader that is killed in an outage: the standby leads once the Lease has run out, not before, and heals it', async (context) => {
  const stage = await seedStage(context);
  const { leader, standby } = await leaderAndStandby(stage, electionFlags);
  stage.cutOff();
  await stage.until(() => stage.writes('one').length > 0, 'the first scale-down');
  leader.kill('SIGKILL');
  await leader.end();
  const lastRenewal = renewedAt(stage);
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
  const lastRenewal = renewedAt(stage);
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

test.concurrent('8 a Lease that a Go watchdog holds and renews is its own, until it lets it run out', async (context) => {
  const stage = await seedStage(context);
  const { storage } = stage.seed.api;
  const seconds = 2;
  const spec = () => ({
    holderIdentity: 'dependency-watchdog-prober-7d9f_0b6c',
    leaseDurationSeconds: seconds,
    acquireTime: microTime(storage.clock.now()),
    renewTime: microTime(storage.clock.now()),
    leaseTransitions: 4,
  });
  createObject(storage, kinds.lease, {
    metadata: { name: 'dwd-prober-leader-election', namespace: 'garden' },
    spec: spec(),
  });
  let alive = true;
  let renewedLast = storage.clock.now();
  // Just before each look, so that no look finds it unchanged, even on a slow machine.
  stage.permits = ({ verb, resource }) => {
    if (!alive || verb !== 'get' || resource !== 'leases') return true;
    const leases = storage.store.of(kinds.lease);
    const { object } = leases.get('garden/dwd-prober-leader-election')!;
    leases.put({ ...object, spec: { ...asObject(object['spec']), ...spec() } });
    renewedLast = storage.clock.now();
    return true;
  };

  const program = stage.prober('one', ...electionFlags);
  await program.line('the first lists of the seed are in');
  const looks = () => stage.asked.filter(({ verb, resource }) => verb === 'get' && resource === 'leases');
  await stage.until(() => looks().length > 0, 'a first look');
  const firstLook = looks()[0]!.at;
  await stage.until(
    () => (looks().at(-1)?.at ?? 0) > firstLook + 1.5 * seconds * 1_000,
    'looks for longer than it lasts',
  );
  expect(program.lines.filter(({ leadership }) => leadership === 'leading')).toEqual([]);
  expect(
    stage.asked.filter(({ verb, resource }) => resource === 'leases' && verb !== 'get' && verb !== 'watch'),
  ).toEqual([]);
  expect(stage.shoot.api.requests.count).toBe(0);

  alive = false;
  const { ts } = await program.line('leadership', { leadership: 'leading' });
  expect(Date.parse(ts)).toBeGreaterThanOrEqual(renewedLast + seconds * 1_000);
  expect(stage.lease).toMatchObject({ leaseTransitions: 5 });
  await program.line('state changed', { to: 'probing' });
});
