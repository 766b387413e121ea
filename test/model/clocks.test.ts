import { expect, test } from 'vitest';
import { GuardedWorld } from '@dwd/testing/guarded-world.ts';
import { gardenerConfig } from '@dwd/testing/prober-configs.ts';

const config = { ...gardenerConfig, backoffJitterFactor: 0 };
const verdicts = ({ turns }: GuardedWorld) =>
  turns.flatMap(({ at, notes }) => notes.flatMap((note) => (note.kind === 'verdict' ? [{ at, ...note }] : [])));
const differences = ({ turns }: GuardedWorld) =>
  turns.flatMap(({ notes }) => notes.flatMap((note) => (note.kind === 'clockDiffers' ? [note.ahead] : [])));

/** A shoot whose clock differs from ours. It is the same as if our clock were wrong. */
async function shoot(ahead: number, length = 200_000): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(config);
  guarded.world.shootAhead = ahead;
  await guarded.pass(length);
  return guarded;
}

test.each([-30_000, -25_000, 25_000, 3_600_000])(
  '5.1 our clock is wrong by %i ms: nobody is cut off for it, and it is said once',
  async (ahead) => {
    const guarded = await shoot(ahead, 1_800_000);
    expect(guarded.state).toBe('probing');
    expect(new Set(verdicts(guarded).map(({ verdict }) => verdict))).toEqual(new Set(['connected']));
    expect(differences(guarded)).toHaveLength(1);
    expect(Math.abs(differences(guarded)[0]! - ahead)).toBeLessThan(1_000);
  },
);

test.each([-30_000, 0, 30_000])(
  '4.6 5.1 an outage is decided when the shoot’s own clock says so, to a second, at a difference of %i ms',
  async (ahead) => {
    const guarded = await shoot(ahead);
    const cutAt = guarded.clock.now();
    guarded.world.cutOff();
    await guarded.pass(60_000);
    expect(guarded.state).toBe('scaledDown');
    const first = verdicts(guarded).find(({ verdict }) => verdict === 'cutOff')!;
    // The third of five leases was renewed at most 10 s before the cut.
    expect(first.at - cutAt).toBeGreaterThan(19_000);
    expect(first.at - cutAt).toBeLessThan(31_500);
    expect(Math.abs(first.at - first.crossedAt!)).toBeLessThan(1_500);
  },
);

test('5.1 kubelets whose own clocks are behind count as fresh while their leases move', async () => {
  const guarded = new GuardedWorld({ ...config, probeInterval: 10_000 });
  for (const node of guarded.world.nodes) node.clockBehind = 33_000;
  await guarded.pass(120_000);
  // Nobody can know this before the second probe.
  guarded.turns.length = 0;
  await guarded.pass(600_000);
  expect(new Set(verdicts(guarded).map(({ verdict }) => verdict))).toEqual(new Set(['connected']));
  guarded.world.cutOff();
  await guarded.pass(60_000);
  expect(guarded.state).toBe('scaledDown');
});

/** A shoot whose kubelets' clocks are ahead of the time (below 0: behind), from before the prober's start. */
async function shootOfNodes(ahead: number, length = 600_000): Promise<GuardedWorld> {
  const guarded = new GuardedWorld(config);
  guarded.stop();
  for (const node of guarded.world.nodes) node.clockBehind = -ahead;
  await guarded.pass(60_000);
  guarded.start(false);
  await guarded.pass(length);
  return guarded;
}

const day = 86_400_000;

test.each([-day, -3_600_000, -60_000, 0, 7_000, 60_000, day])(
  '5.1 the kubelets’ clocks are off by %i ms: an outage is decided as soon as with right ones, and the shoot comes back',
  async (ahead) => {
    const guarded = await shootOfNodes(ahead);
    expect(verdicts(guarded).filter(({ verdict }) => verdict === 'cutOff')).toEqual([]);
    expect(guarded.state).toBe('probing');
    const cutAt = guarded.clock.now();
    guarded.world.cutOff();
    await guarded.pass(60_000);
    expect(guarded.state).toBe('scaledDown');
    const first = verdicts(guarded).find(({ verdict, at }) => verdict === 'cutOff' && at > cutAt)!;
    expect(first.at - cutAt).toBeGreaterThan(17_000);
    expect(first.at - cutAt).toBeLessThan(34_000);
    guarded.world.heal();
    await guarded.pass(90_000);
    expect(guarded.state).toBe('probing');
  },
);

const doubts = ({ turns }: GuardedWorld) =>
  turns.flatMap(({ at, notes }) => notes.flatMap((note) => (note.kind === 'leasesInDoubt' ? [{ at, ...note }] : [])));

test('5.1 a first look that finds what no controller-manager lets pass is followed by another, which decides', async () => {
  const behind = await shootOfNodes(-90_000, 60_000);
  expect(doubts(behind)).toMatchObject([{ leases: 5 }]);
  expect(verdicts(behind)[0]).toMatchObject({ verdict: 'connected', expired: 0, candidates: 5 });
  expect(verdicts(behind)[0]!.at - doubts(behind)[0]!.at).toBeLessThan(12_500);

  const silent = new GuardedWorld(config);
  silent.stop();
  await silent.pass(60_000);
  silent.world.cutOff();
  await silent.pass(90_000);
  silent.start(false);
  await silent.pass(120_000);
  expect(doubts(silent)).toMatchObject([{ leases: 5 }]);
  expect(verdicts(silent)[0]).toMatchObject({ verdict: 'cutOff', expired: 5 });
  expect(verdicts(silent)[0]!.at - doubts(silent)[0]!.at).toBeLessThan(12_500);
  expect(silent.state).toBe('scaledDown');
});

test('5.1 a prober that begins in an outage in which all is down raises nothing by its doubt', async () => {
  const guarded = await shoot(0);
  guarded.world.cutOff();
  await guarded.pass(120_000);
  expect(guarded.state).toBe('scaledDown');
  guarded.restart();
  const before = verdicts(guarded).length;
  await guarded.pass(60_000);
  expect(doubts(guarded)[0]).toMatchObject({ leases: 5 });
  expect(
    new Set(
      verdicts(guarded)
        .slice(before)
        .map(({ verdict }) => verdict),
    ),
  ).toEqual(new Set(['cutOff']));
  expect(guarded.turns.some(({ to }) => to === 'scalingUp')).toBe(false);
});

test('5.1 a kubelet’s clock that is put right by any step or bit by bit cuts nobody off', async () => {
  for (const ahead of [15_000, 25_000, 35_000, 120_000]) {
    const guarded = await shootOfNodes(ahead, 200_000);
    for (const node of guarded.world.nodes) node.clockBehind = 0;
    await guarded.pass(200_000);
    for (let off = 0; off < 60_000; off += 2_500) {
      for (const node of guarded.world.nodes) node.clockBehind = off;
      await guarded.pass(30_000);
    }
    expect(verdicts(guarded).filter(({ verdict }) => verdict === 'cutOff')).toEqual([]);
  }
});

test('5.1 renewals that a slow way holds up are judged by what they say, before the first node is marked', async () => {
  const guarded = await shoot(0, 600_000);
  const { nodes } = guarded.world;
  await guarded.pass(10_000 - ((guarded.clock.now() - nodes[0]!.phase - 1_000) % 10_000));
  const slowAt = guarded.clock.now();
  for (const node of nodes) node.heldUp = { from: slowAt, by: 15_000 };
  // The first node renewed a second before. All others send one more renewal.
  await guarded.pass(6_500);
  guarded.world.cutOff();
  await guarded.pass(60_000);
  const decided = verdicts(guarded).find(({ verdict }) => verdict === 'cutOff')!;
  expect(decided.at - slowAt).toBeGreaterThan(32_000);
  // The first node is marked at 39 s.
  expect(decided.at - slowAt).toBeLessThan(34_000);
  expect(guarded.state).toBe('scaledDown');
});

test('5.1 machines that stood still for a minute, their clocks too, are connected once they have renewed twice', async () => {
  const guarded = await shoot(0, 200_000);
  const { world } = guarded;
  for (const node of world.nodes) node.phase = 0;
  await guarded.pass(20_000 - (guarded.clock.now() % 10_000));
  world.cutOff();
  await guarded.pass(60_000);
  expect(guarded.state).toBe('scaledDown');
  world.heal();
  // By their own time they go on where they were.
  for (const node of world.nodes) node.clockBehind = 50_000;
  await guarded.pass(40_000);
  expect(verdicts(guarded).at(-1)?.verdict).toBe('connected');
});

test.each([4_000, 9_000, 12_000, 15_000, 18_000, 22_000, 25_000, 27_000, 120_000])(
  '5.1 kubelets’ clocks that are set back by %i ms cut nobody off, whenever it happens and whoever asks how often',
  async (back) => {
    for (const probeInterval of [10_000, 17_000, 30_000])
      for (let phase = 0; phase < 10_000; phase += 700) {
        const guarded = new GuardedWorld({ ...config, probeInterval });
        await guarded.pass(120_000 + phase);
        // All kubelets renew at once, which is the worst.
        for (const node of guarded.world.nodes) Object.assign(node, { clockBehind: back, phase: 0 });
        await guarded.pass(120_000);
        expect(verdicts(guarded).filter(({ verdict }) => verdict === 'cutOff')).toEqual([]);
        guarded.stop();
      }
  },
);
