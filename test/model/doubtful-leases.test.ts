import { expect, test } from 'vitest';
import type { ShootNote } from '../../src/machines/shoot-language.ts';
import { crowdedShoot } from '../support/guarded-shoots.ts';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { controllerManager, gardenerConfig } from '@dwd/testing/prober-configs.ts';

const config = { ...gardenerConfig, backoffJitterFactor: 0 };
const grace = config.kcmNodeMonitorGraceDuration;
const minute = 60_000;

/** A calm shoot whose nodes are Ready, as real ones are. */
async function readyShoot(under = config): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(under);
  for (const node of guarded.world.nodes) node.view = { ...node.view, trueConditions: ['Ready'] };
  await guarded.pass(2 * minute);
  return guarded;
}

/** The kube-controller-manager marks these. */
function mark(guarded: GuardedWorld, count: number): void {
  for (const node of guarded.world.nodes.slice(0, count)) node.view = { ...node.view, trueConditions: [] };
}

const said = ({ turns }: GuardedWorld) =>
  turns.flatMap(({ notes }) => notes.filter(({ kind }) => kind.startsWith('leases')));
const kinds = (guarded: GuardedWorld) => said(guarded).map(({ kind }) => kind);
const verdicts = ({ turns }: GuardedWorld) =>
  turns.flatMap(({ notes }) =>
    notes.filter((note): note is ShootNote & { kind: 'verdict' } => note.kind === 'verdict'),
  );

test('5.1 a lease ahead of the time is said once, with its node and by how much, and counted with each verdict', async () => {
  const guarded = await readyShoot();
  guarded.world.nodes[1]!.clockBehind = -60_000;
  await guarded.pass(30 * minute);
  expect(kinds(guarded)).toEqual(['leasesAhead']);
  const [note] = said(guarded);
  expect(note).toMatchObject({ leases: { count: 1, worst: [{ node: 'node-1' }] } });
  const { by } = (note as ShootNote & { kind: 'leasesAhead' }).leases.worst[0]!;
  expect(by).toBeGreaterThan(50_000);
  expect(by).toBeLessThanOrEqual(60_000);
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', ahead: 1 });
});

test('4.7 that leases are left out is said once, and again when it begins anew', async () => {
  let leftOut = 500;
  const crowded = crowdedShoot(() => leftOut);
  await crowded.pass(10 * minute);
  expect(said(crowded)).toEqual([{ kind: 'leasesLeftOut', leases: 500 }]);
  leftOut = 0;
  await crowded.pass(2 * minute);
  leftOut = 7;
  await crowded.pass(2 * minute);
  expect(said(crowded).slice(1)).toEqual([{ kind: 'leasesLeftOut', leases: 7 }]);
});

test('5.1 it is said to be over when no probe has found one for ten minutes, and a later one is said anew', async () => {
  const guarded = await readyShoot();
  const [, node] = guarded.world.nodes;
  node!.clockBehind = -5_000;
  // A kubelet that is ahead by five seconds is caught by a few probes only.
  await guarded.pass(120 * minute);
  expect(kinds(guarded)).toEqual(['leasesAhead']);
  const found = verdicts(guarded).filter((one) => one.external === undefined && one.ahead === 1).length;
  expect(found).toBeGreaterThan(1);
  expect(found).toBeLessThan(verdicts(guarded).length);
  node!.clockBehind = 0;
  await guarded.pass(15 * minute);
  expect(kinds(guarded)).toEqual(['leasesAhead', 'leasesAheadOver']);
  node!.clockBehind = -60_000;
  await guarded.pass(5 * minute);
  expect(kinds(guarded)).toEqual(['leasesAhead', 'leasesAheadOver', 'leasesAhead']);
});

test.each([
  ['nothing is said of a kubelet ahead by what is tolerated', 0, -3_000, []],
  ['nothing is said of a shoot whose own clock is ahead by a minute', 60_000, 0, []],
  // Its leases are old by one clock, and fresh by the other.
  ['a shoot whose own clock is behind is in doubt until its leases move', -60_000, 0, ['leasesInDoubt']],
])('5.1 %s', async (_, shootAhead, clockBehind, expected) => {
  const guarded = await readyShoot();
  guarded.world.shootAhead = shootAhead;
  for (const node of guarded.world.nodes) node.clockBehind = clockBehind;
  await guarded.pass(60 * minute);
  expect(kinds(guarded)).toEqual(expected);
});

test('5.1 a lease renewed while the probe is under way is not ahead of the time', async () => {
  const slow = new GuardedWorld(config, 5, {
    instead: (world, clock) => ({
      shoots: {
        askPath: (shoot, path, deadlineAt, signal) => world.askPath(shoot, path, deadlineAt, signal),
        listNodes: (...args) => world.listNodes(...args),
        listLeases: async (shoot, deadlineAt, signal) => {
          const until = clock.now() + 20_000;
          await new Promise((resolve) => clock.wakeAt(until).subscribe(resolve));
          return world.listLeases(shoot, deadlineAt, signal);
        },
      },
    }),
  });
  await slow.pass(10 * minute);
  expect(verdicts(slow).length).toBeGreaterThan(5);
  expect(said(slow)).toEqual([]);
});

test('5.5 a lease that nobody renews though its node is Ready is said once two graces after it expired, and once when it is renewed again', async () => {
  const guarded = await readyShoot();
  guarded.world.cutOff(1);
  const cutAt = guarded.clock.now();
  await guarded.pass(20 * minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed']);
  const turn = guarded.turns.find(({ notes }) => notes.some(({ kind }) => kind === 'leasesNotRenewed'))!;
  expect(turn.at - cutAt).toBeGreaterThan(2.75 * grace - 10_000);
  expect(turn.at - cutAt).toBeLessThan(2.75 * grace + config.probeInterval);
  expect(said(guarded)[0]).toMatchObject({ leases: { count: 1, worst: [{ node: 'node-0' }] } });
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', expired: 1, notRenewed: 1 });
  guarded.world.heal();
  await guarded.pass(2 * minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed', 'leasesNotRenewedOver']);
  expect(verdicts(guarded).at(-1)).not.toHaveProperty('notRenewed');
});

test('5.5 nothing is said of a silent node that the kube-controller-manager has marked', async () => {
  const guarded = await readyShoot();
  guarded.world.cutOff(1);
  await guarded.pass(grace + 5_000);
  mark(guarded, 1);
  await guarded.pass(20 * minute);
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', expired: 1 });
  expect(said(guarded)).toEqual([]);
});

test('5.5 nothing is said in an outage, nor after it of a node that died in it and is marked within two graces of the return', async () => {
  const guarded = await readyShoot();
  guarded.world.cutOff();
  await guarded.pass(30 * minute);
  expect(guarded.state).toBe('scaledDown');
  guarded.world.heal();
  guarded.world.cutOff(1);
  guarded.world.nodes[0]!.cutOffAt = 0;
  await guarded.pass(80_000);
  expect(guarded.turns.some(({ notes }) => notes.some(({ kind }) => kind === 'restored'))).toBe(true);
  // The kube-controller-manager is back, and has to wait for a grace before it marks anything.
  mark(guarded, 1);
  await guarded.pass(20 * minute);
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', expired: 1 });
  expect(said(guarded)).toEqual([]);
});

test('5.5 nothing is said while somebody keeps a dependant down, though no verdict is a cut-off', async () => {
  const guarded = await readyShoot();
  guarded.world.writing = 'refused';
  guarded.world.edit(controllerManager.key, { replicas: 0 });
  guarded.world.cutOff(1);
  await guarded.pass(20 * minute);
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', expired: 1 });
  expect(said(guarded)).toEqual([]);
});

test('5.5 nothing is said when an API server is back that nobody could reach, while a kubelet is late', async () => {
  const guarded = await readyShoot();
  guarded.world.api = 'down';
  guarded.world.cutOff(1);
  await guarded.pass(20 * minute);
  guarded.world.api = 'up';
  await guarded.pass(minute);
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', expired: 1 });
  expect(said(guarded)).toEqual([]);
  await guarded.pass(2 * minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed']);
});

test('5.5 an outage that comes upon it neither repeats it nor ends it', async () => {
  const guarded = await readyShoot();
  guarded.world.cutOff(1);
  await guarded.pass(10 * minute);
  guarded.world.cutOff();
  await guarded.pass(10 * minute);
  expect(guarded.state).toBe('scaledDown');
  guarded.world.heal();
  guarded.world.nodes[0]!.cutOffAt = 0;
  await guarded.pass(20 * minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed']);
});

test('5.5 nothing is said right after an outage that was too short for a scale-down', async () => {
  const guarded = await readyShoot({ ...config, failureThreshold: 100 });
  guarded.world.cutOff();
  await guarded.pass(3 * minute);
  guarded.world.heal();
  guarded.world.cutOff(1);
  guarded.world.nodes[0]!.cutOffAt = 0;
  await guarded.pass(2 * grace);
  expect(verdicts(guarded).at(-1)).toMatchObject({ verdict: 'connected', expired: 1 });
  expect(said(guarded)).toEqual([]);
  await guarded.pass(minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed']);
});

test('5.5 leases of nodes that are marked, or gone, are not counted between two looks either', async () => {
  const guarded = await readyShoot();
  const { world } = guarded;
  for (const node of world.nodes.slice(0, 2)) node.view = { ...node.view, unmanaged: true };
  world.cutOff(2);
  mark(guarded, 1);
  await guarded.pass(60 * minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed']);
  expect(verdicts(guarded)).not.toContainEqual(expect.objectContaining({ notRenewed: 2 }));
  expect(verdicts(guarded).at(-1)).toMatchObject({ notRenewed: 1 });
});

test('5.5 a Ready node that does not count, and does not renew, is said once', async () => {
  const guarded = await readyShoot();
  const { world } = guarded;
  world.nodes[0]!.view = { ...world.nodes[0]!.view, unmanaged: true };
  world.cutOff(1);
  await guarded.pass(180 * minute);
  expect(kinds(guarded)).toEqual(['leasesNotRenewed']);
});

test('5.5 nothing is said of a marked node that does not count, by no verdict without a look either', async () => {
  const guarded = await readyShoot();
  const { world } = guarded;
  world.nodes[0]!.view = { ...world.nodes[0]!.view, unmanaged: true };
  world.cutOff(1);
  mark(guarded, 1);
  await guarded.pass(180 * minute);
  expect(kinds(guarded)).toEqual([]);
});
