import { filter, firstValueFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { mergePatch } from '@dwd/lab/real/operator-client.ts';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import type { KubeClient } from 'dependency-watchdog/adapters/kube/kube-client.ts';
import { LeaderElection } from 'dependency-watchdog/adapters/election/leader-election.ts';
import { LeaseClient } from 'dependency-watchdog/adapters/election/lease-client.ts';
import { microTime } from 'dependency-watchdog/adapters/election/lease-record.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import type { ContractStage } from './contract-stage.ts';
import type { Loose } from './embedded-wire.ts';
import { SwitchedClient } from './switched-client.ts';

const lease = 'dwd-contract-leader-election';
const never = new AbortController().signal;

const record = (holderIdentity: string) => ({
  holderIdentity,
  leaseDurationSeconds: 15,
  acquireTime: '2026-11-21T20:07:57.000000Z',
  renewTime: '2026-11-21T20:07:57.123456Z',
  leaseTransitions: 0,
});

/** Long enough for a process that gets no CPU for seconds; a Lease counts in whole seconds. */
const timing = { leaseDuration: 6_000, renewDeadline: 5_000, retryPeriod: 300 };

async function enter(open: () => Promise<ContractStage>) {
  const stage = await open();
  const namespace = await stage.namespace();
  const leaseOf = (client: KubeClient) => new LeaseClient(client, namespace, lease);
  return { stage, namespace, leaseOf, ours: leaseOf(stage.client('admin')), theirs: leaseOf(stage.client('busy')) };
}

/** What the election relies on (SPEC 8), and two candidates that live by it. */
export function leaseContract(open: () => Promise<ContractStage>): void {
  test('8 there is one once, and it is kept as it was written, to the microsecond', async () => {
    const { ours, theirs } = await enter(open);
    expect(await ours.get(never)).toBeUndefined();
    const made = (await ours.create(record('a'), never)) as Loose;
    expect(made).toMatchObject({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec: record('a') });
    expect(await theirs.get(never)).toEqual(made);
    await expect(theirs.create(record('b'), never)).rejects.toMatchObject({ status: 409, reason: 'AlreadyExists' });
  });

  test('8 of two who saw the same, one may write; the other finds nothing of his in it', async () => {
    const { ours, theirs } = await enter(open);
    const seen = await ours.create(record(''), never);
    const taken = ours.update(seen, record('a'), never);
    const missed = theirs.update(seen, record('b'), never);
    const outcomes = await Promise.allSettled([taken, missed]);
    const kept = outcomes.find(({ status }) => status === 'fulfilled') as PromiseFulfilledResult<Loose>;
    const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(lost.map(({ reason }) => [reason.status, reason.reason])).toEqual([[409, 'Conflict']]);
    expect(await ours.get(never)).toEqual(kept.value);
  });

  test('8 an update keeps all but the spec, and of one that is gone is none', async () => {
    const { stage, namespace, ours } = await enter(open);
    const { coordination } = stage.operator;
    const of = { namespace, name: lease };
    await ours.create(record('a'), never);
    const body = { metadata: { labels: { of: 'others' } } };
    await coordination.patchNamespacedLease({ ...of, body }, mergePatch);
    const labelled = (await ours.get(never)) as Loose;
    const updated = (await ours.update(labelled, record('b'), never)) as Loose;
    expect(updated.metadata).toMatchObject({ labels: { of: 'others' }, uid: labelled.metadata.uid });
    expect(updated.spec).toEqual(record('b'));
    await coordination.deleteNamespacedLease(of);
    await expect(ours.update(updated, record('b'), never)).rejects.toMatchObject({ status: expect.any(Number) });
    expect(await ours.get(never)).toBeUndefined();
  });

  test('8 a watch by its name tells what is there, each change and its end, and nothing of others', async () => {
    const { stage, namespace, ours } = await enter(open);
    const { coordination } = stage.operator;
    const made = await ours.create(record('a'), never);
    const leave = new AbortController();
    const told = ours.watch(leave.signal, 60_000);
    const next = async () => ((await told.next()).value ?? undefined) as Loose;
    expect(await next()).toEqual(made);
    await coordination.createNamespacedLease({ namespace, body: { metadata: { name: 'another' } } });
    const updated = await ours.update(made, record(''), never);
    expect(await next()).toEqual(updated);
    await coordination.deleteNamespacedLease({ namespace, name: lease });
    expect(await next()).toBeUndefined();
    const again = await ours.create(record('b'), never);
    expect(await next()).toEqual(again);
    leave.abort();
    await expect(told.next()).rejects.toMatchObject({ kind: 'aborted' });
  });

  test('8 of two candidates one leads; let go it is taken at once, lost it is taken when it has run out', async () => {
    const { stage, namespace, ours } = await enter(open);
    const candidate = (identity: string) => {
      const client = new SwitchedClient(stage.client('admin'));
      const chance = seededChance(identity.length);
      const election = new LeaderElection({
        ...timing,
        client,
        clock: systemClock,
        chance,
        namespace,
        name: lease,
        identity,
      });
      const leads = firstValueFrom(election.leadership$.pipe(filter((now) => now === 'leading')));
      return { client, election, leads };
    };
    const holder = async () => ((await ours.get(never)) as Loose).spec;
    const [a, b, c] = [candidate('a'), candidate('bb'), candidate('ccc')];
    a.election.start();
    await a.leads;
    b.election.start();
    expect(await holder()).toMatchObject({ holderIdentity: 'a', leaseDurationSeconds: 6, leaseTransitions: 0 });
    await a.election.release(1_000);
    let looks = 0;
    b.client.before = ({ method }) => {
      if (method === 'GET') looks += 1;
      return Promise.resolve();
    };
    await b.leads;
    // One look finds it free; none was in vain, as those before it has run out would be.
    expect(looks).toBeLessThanOrEqual(1);
    expect(a.election.granted()).toBe(false);
    expect(await holder()).toMatchObject({ holderIdentity: 'bb', leaseTransitions: 1 });

    c.election.start();
    const lost = firstValueFrom(b.election.leadership$.pipe(filter((now) => now === 'lost')));
    b.client.before = () => new Promise(() => undefined);
    await Promise.all([lost.then(() => expect(c.election.granted()).toBe(false)), c.leads]);
    expect(await holder()).toMatchObject({ holderIdentity: 'ccc', leaseTransitions: 2 });
    expect(microTime(systemClock.now()) > (await holder()).renewTime).toBe(true);
    await c.election.release(1_000);
    expect(await holder()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  });
}
