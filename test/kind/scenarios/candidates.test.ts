import { expect, test } from 'vitest';
import { ca, kcm, mcm, StagedShoot } from '../staged-shoot.ts';
import { metricsOf } from '../stage.ts';

// Which nodes count. Times: leases are renewed every 10 s and expire after 30 s; probes come every 5 s. Where nothing is to
// happen, what kept it from happening is taken away in the end, and it happens.

const allDown = { [kcm]: 0, [mcm]: 0, [ca]: 0 };
const partlyCutOff = async () => (await metricsOf('prober'))['dwd_shoots_partly_cut_off'];
const notManaged = 'node.machine.sapcloud.io/not-managed-by-mcm';

test.concurrent('5.3 S7 the only node is cut off: too few to tell, and never scaled down', async (context) => {
  const shoot = await StagedShoot.raise(context, 'one-node', { nodes: 1 });
  await shoot.isProbed();
  shoot.nodes.cutOff();
  await shoot.expiredAndProbed();
  await shoot.told({ line: 'too few candidates to tell' });
  await shoot.probed(3);
  expect(shoot.seen.isUntouched).toBe(true);
  expect(await shoot.state()).toBe('probing');

  // It is not that nothing is ever raised: what somebody else has at 0 stays so while too few tell, and comes with the node.
  await shoot.scale(mcm, 0);
  await shoot.probed(3);
  expect(shoot.seen.replicas[mcm]).toBe(0);
  await shoot.nodes.heal();
  await shoot.probed(3);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 0, [ca]: 1 });
});

test.concurrent('5.9 S7 the leases of all nodes are deleted: nobody can tell, and nothing is scaled in either direction', async (context) => {
  const shoot = await StagedShoot.raise(context, 'lease-deleted', { nodes: 2 });
  await shoot.isProbed();
  for (const node of shoot.nodes.names) await shoot.nodes.loseLease(node);
  await shoot.expiredAndProbed();
  await shoot.probed(3);
  expect(shoot.seen.isUntouched).toBe(true);
  expect(await shoot.state()).toBe('probing');
  expect(shoot.lines({ line: 'probe fails' })).toEqual([]);

  await shoot.scale(mcm, 0);
  await shoot.told({ line: 'cannot be judged' });
  await shoot.probed();
  expect(shoot.seen.replicas[mcm]).toBe(0);
  for (const node of shoot.nodes.names) await shoot.nodes.regainLease(node);
  await shoot.until('it is raised', () => shoot.seen.replicas[mcm] === 1);
  expect(shoot.seen.replicas).toEqual({ [kcm]: 2, [mcm]: 1, [ca]: 1 });
});

test.concurrent('5.2 two of three nodes are not managed by MCM: the third is too few to tell', async (context) => {
  const shoot = await StagedShoot.raise(context, 'not-managed');
  const [one, two] = shoot.nodes.names as [string, string];
  for (const node of [one, two]) await shoot.nodes.annotate(node, { [notManaged]: '1' });
  await shoot.isProbed();
  shoot.nodes.cutOff();
  await shoot.expiredAndProbed();
  await shoot.probed(3);
  expect(shoot.seen.isUntouched).toBe(true);
  expect(shoot.lines({ line: 'too few candidates to tell' })).toMatchObject([{ expired: 1, candidates: 1 }]);

  for (const node of [one, two]) await shoot.nodes.annotate(node, { [notManaged]: null });
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual(allDown);
});

test.concurrent('5.2 two of three machines are terminating: their leases do not count', async (context) => {
  const shoot = await StagedShoot.raise(context, 'terminating');
  const [one, two] = shoot.nodes.names as [string, string];
  for (const node of [one, two]) await shoot.setMachinePhase(node, 'Terminating');
  await shoot.isProbed();
  shoot.nodes.cutOff([one, two]);
  await shoot.until('two leases are expired', () => shoot.nodes.areExpired);
  await shoot.probed(3);
  expect(shoot.seen.isUntouched).toBe(true);
  expect(await shoot.state()).toBe('probing');

  // Two of three are more than 0.6 of them. What told nothing when it expired is not looked at again for ten minutes (5.4), so they renew first.
  for (const node of [one, two]) await shoot.setMachinePhase(node, 'Running');
  await shoot.nodes.heal();
  shoot.nodes.cutOff([one, two]);
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual(allDown);
  await shoot.until('why is told', () => shoot.lines({ expired: 2, candidates: 3 }).length > 0);
});

test.concurrent('5.2 3.3 two of three nodes have a condition that their pool counts as unhealthy', async (context) => {
  const shoot = await StagedShoot.raise(context, 'node-condition');
  await shoot.declare({ spec: workersWith(['ScenarioProblem']) });
  const [one, two] = shoot.nodes.names as [string, string];
  for (const node of [one, two]) await shoot.nodes.setCondition(node, 'ScenarioProblem', 'True');
  await shoot.isProbed();
  shoot.nodes.cutOff([one, two]);
  await shoot.until('two leases are expired', () => shoot.nodes.areExpired);
  await shoot.probed(3);
  expect(shoot.seen.isUntouched).toBe(true);

  // The pool lists others now: at once, and without a restart of the probe.
  await shoot.declare({ spec: workersWith(['KernelDeadlock']) });
  await shoot.reaches('scaledDown');
  expect(shoot.seen.replicas).toEqual(allDown);
  expect(shoot.lines({ line: 'paused' })).toEqual([]);
});

function workersWith(nodeConditions: readonly string[]): object {
  return { provider: { workers: [{ name: 'worker', machineControllerManager: { nodeConditions } }] } };
}

test.concurrent('5.6 a zone is cut off alone: it is told with its name, nothing is scaled down, and then it is over', async (context) => {
  const shoot = await StagedShoot.raise(context, 'zone', { nodes: 6 });
  const inZoneA = shoot.nodes.names.slice(0, 2);
  for (const node of shoot.nodes.names)
    await shoot.nodes.label(node, { 'topology.kubernetes.io/zone': inZoneA.includes(node) ? 'zone-a' : 'zone-b' });
  await shoot.isProbed();

  shoot.nodes.cutOff(inZoneA);
  await shoot.expiredAndProbed();
  expect(await shoot.told({ line: 'partial outage' })).toMatchObject({ level: 'warn', expired: 2, zone: ['zone-a'] });
  // Metrics are rendered once a second.
  await shoot.until('it is counted', async () => (await partlyCutOff()) === 1);

  await shoot.nodes.heal();
  await shoot.told({ line: 'partial outage over' });
  await shoot.until('nothing is counted any more', async () => (await partlyCutOff()) === 0);
  expect(shoot.seen.isUntouched).toBe(true);
});
