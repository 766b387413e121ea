import { afterAll, expect, test } from 'vitest';
import type { LeaseRecord } from 'dependency-watchdog/adapters/election/lease-record.ts';
import { goPlay, OurElector, type Elector, type Lead } from './electors.ts';
import { realSeed } from './real-tier.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/garden/leases';
const name = 'dwd-prober-leader-election';
const config = `
kubeConfigSecretName: shoot-access-dependency-watchdog-probe
dependentResourceInfos:
- ref: {apiVersion: apps/v1, kind: Deployment, name: kube-controller-manager}
  scaleUp: {level: 0}
  scaleDown: {level: 0}
`;

const seed = realSeed();

afterAll(async () => {
  await seed.call('DELETE', `${leases}/${name}`, undefined, [404]);
  await seed.close();
});

/** Of a holder, its first record. Nobody believes that he leads before the instant that he writes there. */
function takenAt(records: readonly LeaseRecord[], { identity }: Lead): number {
  const first = records.find(({ holderIdentity }) => holderIdentity === identity);
  return first === undefined ? Infinity : Date.parse(first.acquireTime);
}

function tableOf(leads: readonly Lead[], records: readonly LeaseRecord[]): string {
  const [start = 0] = leads.map((lead) => Math.min(lead.from, takenAt(records, lead)));
  const sinceStart = (at: number) => ((at - start) / 1_000).toFixed(3).padStart(8);
  const rows = leads.map((lead, index) => {
    const before = leads[index - 1];
    const between =
      before === undefined ? '        ' : `${((lead.from - before.until) / 1_000).toFixed(3)} s`.padStart(8);
    return `${lead.who.padEnd(8)}${sinceStart(lead.from)} s${sinceStart(lead.until)} s  ${lead.ended.padEnd(9)}${between}`;
  });
  return ['who       led from      until    ended   nobody before', ...rows].join('\n');
}

test('8 S6 a roll from the Go watchdog to ours and back, by release and by kill: its Lease is taken as client-go wrote it, and never do two believe that they lead', async (context) => {
  await seed.call('DELETE', `${leases}/${name}`, undefined, [404]);
  await seed.call('DELETE', '/apis/extensions.gardener.cloud/v1alpha1/clusters');
  const records: LeaseRecord[] = [];
  // Its connections are cut at the end, and with them the watch.
  const watching = realSeed();
  const followed = watching
    .watch(`${leases}?watch=true&fieldSelector=metadata.name=${name}`, ({ type, object }) => {
      if (type !== 'DELETED') records.push(object['spec'] as LeaseRecord);
    })
    .catch(() => undefined);
  const { start: startGo, by } = await goPlay(seed, context);
  const startOurs = (who: string) => new OurElector(context, who, seed, config);

  const leads: Lead[] = [];
  /** How often the one that leads now has written the Lease. */
  const renewals = () => {
    const holders = Map.groupBy(records, ({ holderIdentity }) => holderIdentity);
    holders.delete('');
    if (holders.size !== leads.length + 1) return 0;
    return new Set([...holders.values()].at(-1)?.map(({ renewTime }) => renewTime)).size;
  };
  /** The next one waits while this one leads; then this one ends, and the next one leads. */
  const passOn = async (leader: Elector, how: 'released' | 'killed', next: Elector): Promise<Elector> => {
    await next.waits();
    await expect.poll(renewals).toBeGreaterThan(1);
    leads.push(await leader.end(how));
    await next.leads();
    return next;
  };
  let leader = startGo('go 1');
  await leader.leads();
  leader = await passOn(leader, 'released', startOurs('ours 1'));
  leader = await passOn(leader, 'released', startGo('go 2'));
  leader = await passOn(leader, 'killed', startOurs('ours 2'));
  leader = await passOn(leader, 'killed', startGo('go 3'));
  await expect.poll(renewals).toBeGreaterThan(1);
  leads.push(await leader.end('released'));

  process.stderr.write(`Go is played by ${by}\n${tableOf(leads, records)}\n`);
  expect(leads.map(({ who }) => who)).toEqual(['go 1', 'ours 1', 'go 2', 'ours 2', 'go 3']);
  for (const { from, until } of leads) expect(until).toBeGreaterThan(from);
  for (const [index, lead] of leads.slice(1).entries()) {
    const { who, until, ended } = leads[index]!;
    const pause = Math.min(lead.from, takenAt(records, lead)) - until;
    // Whoever was killed may lead until its Lease has run out; whoever lets it go is followed by the next try.
    const [least, most] = ended === 'killed' ? [5_000, 30_000] : [0, 10_000];
    expect(pause, `from ${who} to ${lead.who}`).toBeGreaterThanOrEqual(least);
    expect(pause, `from ${who} to ${lead.who}`).toBeLessThan(most);
  }

  const holders = records.filter(({ holderIdentity }) => holderIdentity !== '');
  expect([...new Set(holders.map(({ holderIdentity }) => holderIdentity))]).toEqual(
    leads.map(({ identity }) => identity),
  );
  expect([...new Set(holders.map(({ leaseTransitions }) => leaseTransitions))]).toEqual([0, 1, 2, 3, 4]);
  for (const one of records) {
    expect([one.acquireTime, one.renewTime].join()).toMatch(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z,?){2}$/);
    expect(one.leaseDurationSeconds).toBe(one.holderIdentity === '' ? 1 : 15);
  }
  for (const { identity } of leads) expect(identity).toMatch(/^.+_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  await watching.close();
  await followed;
});
