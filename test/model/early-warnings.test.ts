import { expect, test } from 'vitest';
import type { ShootNote } from '../../src/machines/shoot-language.ts';
import type { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { zonedShoot } from '../support/guarded-shoots.ts';

const config = { ...gardenerConfig, backoffJitterFactor: 0 };
const grace = config.kcmNodeMonitorGraceDuration;
const minute = 60_000;
const kinds = ['partialOutage', 'partialOutageOver', 'renewalsLate', 'renewalsLateOver'];

/** Nodes 0 to 2 are in zone a, 3 to 5 in zone b, and so on. */
function cutOffZone({ world, clock }: GuardedWorld, zone: string): void {
  for (const node of world.nodes) if (node.view.zone === zone) node.cutOffAt ??= clock.now();
}

function healZone({ world, clock }: GuardedWorld, zone: string): void {
  for (const node of world.nodes)
    if (node.view.zone === zone) Object.assign(node, { cutOffAt: undefined, healedAt: clock.now() });
}

const partsSaid = (guarded: GuardedWorld): readonly string[] =>
  said(guarded).flatMap((one) =>
    one.kind === 'partialOutage' ? [one.groups.join()] : one.kind === 'partialOutageOver' ? ['over'] : [],
  );

const said = ({ turns }: GuardedWorld): readonly ShootNote[] =>
  turns.flatMap(({ notes }) => notes.filter(({ kind }) => kinds.includes(kind)));
const states = ({ turns }: GuardedWorld) => [...new Set(turns.map(({ to }) => to))];

test('5.6 5.7 a zone that is cut off is told once, while nothing is scaled, and once that it is over', async () => {
  const guarded = await zonedShoot();
  guarded.world.cutOff(3);
  const cutAt = guarded.clock.now();
  await guarded.pass(10 * minute);
  const outage = { kind: 'partialOutage', by: 'zone', groups: ['a'], expired: 3, nodes: 3 };
  // They are late before they have expired.
  const late = { kind: 'renewalsLate', late: 3, candidates: 9 };
  expect(said(guarded)).toEqual([expect.objectContaining(late), expect.objectContaining(outage)]);
  const told = guarded.turns.find(({ notes }) => notes.some(({ kind }) => kind === 'partialOutage'))!;
  // By the first probe after they have expired.
  expect(told.at - cutAt).toBeLessThanOrEqual(0.75 * grace + config.probeInterval + 1_000);
  const [note] = told.notes.filter((one) => one.kind === 'partialOutage');
  expect(note!.firstMarkAt - cutAt).toBeGreaterThan(grace - 11_000);
  expect(note!.firstMarkAt - cutAt).toBeLessThanOrEqual(grace);
  guarded.world.heal();
  await guarded.pass(2 * minute);
  expect(said(guarded).slice(2)).toEqual([{ kind: 'partialOutageOver' }]);
  expect(states(guarded)).toEqual(['idle', 'probing']);
});

test('5.6 5.7 a shoot that is cut off as a whole meanwhile has no partial outage, and the verdict says what became of the late leases', async () => {
  const guarded = await zonedShoot();
  guarded.world.cutOff(3);
  await guarded.pass(3 * minute);
  guarded.world.cutOff(9);
  await guarded.pass(2 * minute);
  expect(guarded.state).toBe('scaledDown');
  expect(said(guarded).at(-1)).toEqual({ kind: 'partialOutageOver' });
  guarded.world.heal();
  await guarded.pass(5 * minute);
  const before = said(guarded).length;
  guarded.world.cutOff(3);
  await guarded.pass(3 * minute);
  expect(said(guarded).slice(before)).toContainEqual(expect.objectContaining({ kind: 'partialOutage' }));
});

test('5.6 5.7 the nodes of a zone that was told are not told again as late; those of another one are', async () => {
  const guarded = await zonedShoot(4);
  cutOffZone(guarded, 'a');
  await guarded.pass(5 * minute);
  for (const node of guarded.world.nodes.slice(3, 5)) node.cutOffAt = guarded.clock.now();
  await guarded.pass(2 * minute);
  expect(said(guarded).at(-1)).toMatchObject({ kind: 'renewalsLate', late: 2, candidates: 9 });
  cutOffZone(guarded, 'b');
  await guarded.pass(2 * minute);
  expect(guarded.turns.at(-1)!.after!.context.said).toMatchObject({ partial: { groups: ['a', 'b'] }, late: false });
  guarded.world.heal();
  await guarded.pass(2 * minute);
  const told = said(guarded).map(({ kind }) => kind);
  expect(told).toEqual(['renewalsLate', 'partialOutage', 'renewalsLate', 'partialOutage', 'partialOutageOver']);
});

test('5.6 5.7 leases that are late when a zone is told are told with it', async () => {
  const orders = new Set<string>();
  for (const calm of [0, 5_000, 10_000, 15_000, 20_000, 25_000]) {
    const guarded = await zonedShoot();
    await guarded.pass(calm);
    cutOffZone(guarded, 'c');
    await guarded.pass(5 * minute);
    orders.add(
      said(guarded)
        .map(({ kind }) => kind)
        .join(),
    );
    expect(guarded.turns.at(-1)!.after!.context.said.late).toBe(false);
  }
  expect([...orders].toSorted()).toEqual(['partialOutage', 'renewalsLate,partialOutage']);
});

test('5.6 another zone that goes as well is told, and one that comes back is not', async () => {
  const guarded = await zonedShoot(4);
  cutOffZone(guarded, 'a');
  await guarded.pass(5 * minute);
  cutOffZone(guarded, 'b');
  await guarded.pass(5 * minute);
  healZone(guarded, 'a');
  await guarded.pass(5 * minute);
  healZone(guarded, 'b');
  cutOffZone(guarded, 'c');
  await guarded.pass(5 * minute);
  guarded.world.heal();
  await guarded.pass(2 * minute);
  expect(partsSaid(guarded)).toEqual(['a', 'a,b', 'over', 'c', 'over']);
});

test('5.6 a zone that is back is over, though a node elsewhere has died meanwhile', async () => {
  const guarded = await zonedShoot();
  // Two of three: the third one is gone.
  guarded.world.nodes.shift();
  cutOffZone(guarded, 'a');
  await guarded.pass(5 * minute);
  guarded.world.nodes.at(-1)!.cutOffAt = guarded.clock.now();
  await guarded.pass(5 * minute);
  expect(partsSaid(guarded)).toEqual(['a']);
  healZone(guarded, 'a');
  await guarded.pass(2 * minute);
  expect(partsSaid(guarded)).toEqual(['a', 'over']);
});

test('5.7 leases that are late tell when the threshold would be met, and it is met then', async () => {
  let warnings = 0;
  for (const calm of [0, 5_000, 10_000, 15_000, 20_000, 25_000]) {
    const guarded = await zonedShoot();
    await guarded.pass(calm);
    guarded.world.cutOff();
    await guarded.pass(2 * minute);
    const warned = said(guarded);
    expect(warned.length).toBeLessThanOrEqual(1);
    const notes = guarded.turns.flatMap((turn) => turn.notes);
    const cutOff = notes.find((note) => note.kind === 'verdict' && note.verdict === 'cutOff');
    for (const note of warned) expect(note).toMatchObject({ crossesAt: (cutOff as { crossedAt?: number }).crossedAt });
    warnings += warned.length;
  }
  // The others are decided by the first probe that finds a late lease.
  expect(warnings).toBeGreaterThan(0);
});

test('5.6 5.7 in calm, and where one node of a zone dies, nothing is said', async () => {
  const guarded = await zonedShoot();
  await guarded.pass(60 * minute);
  guarded.world.cutOff(1);
  await guarded.pass(20 * minute);
  expect(said(guarded)).toEqual([]);
});

test('5.6 5.7 a shoot that is put to sleep has nothing that goes on, and says it anew', async () => {
  const guarded = await zonedShoot();
  guarded.world.cutOff(3);
  await guarded.pass(3 * minute);
  const { context } = guarded.turns.at(-1)!.after!;
  expect(context.said).toMatchObject({ partial: { groups: ['a'], expired: 3 }, late: false });
  for (const node of guarded.world.nodes.slice(3, 5)) node.cutOffAt = guarded.clock.now();
  await guarded.pass(minute);
  expect(guarded.turns.at(-1)!.after!.context.said).toMatchObject({ partial: { groups: ['a'] }, late: true });
  guarded.world.setCluster({ readable: true, cluster: { ...activeCluster, hibernationEnabled: true } });
  await guarded.pass(minute);
  expect(guarded.turns.at(-1)!.after!.context.said).toMatchObject({ partial: null, late: false });
});

test('5.6 an outage of more than ten zones goes on until half of what was told is back', async () => {
  const guarded = await zonedShoot(40);
  guarded.world.cutOff(63);
  await guarded.pass(3 * minute);
  expect(said(guarded)).toContainEqual(expect.objectContaining({ kind: 'partialOutage', expired: 63, nodes: 63 }));
  // Too many are silent elsewhere now, each for itself: this is no outage of zones any more, and nothing is back.
  for (const [index, node] of guarded.world.nodes.entries())
    if (index >= 63 && index % 3 !== 0 && index < 72) node.cutOffAt = guarded.clock.now();
  await guarded.pass(3 * minute);
  expect(partsSaid(guarded)).toHaveLength(1);
  guarded.world.heal();
  await guarded.pass(3 * minute);
  expect(partsSaid(guarded).at(-1)).toBe('over');
});

test('5.6 a first look says nothing of kubelets whose clocks are behind', async () => {
  const guarded = await zonedShoot();
  for (const node of guarded.world.nodes.slice(0, 3)) node.clockBehind = 35_000;
  guarded.restart();
  await guarded.pass(10 * minute);
  expect(said(guarded).filter(({ kind }) => kind.startsWith('partialOutage'))).toEqual([]);
});

test.each([
  ['an outage of all', false],
  ['a silence of the API server', true],
])(
  '5.6 5.7 after %s leases come back one by one: what is not back yet is no zone, and no warning',
  async (_, isSilent) => {
    const guarded = await zonedShoot();
    const { clock, world } = guarded;
    world.cutOff();
    if (isSilent) world.api = 'down';
    await guarded.pass(2 * minute);
    const before = said(guarded).length;
    world.api = 'up';
    for (const node of world.nodes.slice(3)) Object.assign(node, { cutOffAt: undefined, healedAt: clock.now() });
    // A kubelet that can renew does so within 10.4 s.
    await guarded.pass(10_000);
    const [last] = guarded.turns.flatMap(({ notes }) => notes.filter(({ kind }) => kind === 'verdict')).slice(-1);
    expect(last).toMatchObject({ verdict: 'connected', expired: 3 });
    world.heal();
    await guarded.pass(5 * minute);
    expect(said(guarded).slice(before)).toEqual([]);
  },
);
