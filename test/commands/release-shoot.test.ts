import { expect, test } from 'vitest';
import { patience, releaseShoot, type ReleaseStep } from '../../src/commands/release-shoot.ts';
import { readProberConfig } from '../../src/domain/config/read-prober-config.ts';
import { isUndone } from '../../src/domain/prober/due-change.ts';
import type { PresentResource, ResourceChange } from '../../src/domain/prober/resource-view.ts';
import type { ShootStanding } from '../../src/domain/prober/standing.ts';
import type { Scaler } from '../../src/effects/ports.ts';
import { shielded } from '@dwd/testing/views.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

type Written = Readonly<{ at: number; change: ResourceChange }>;

/** A dependant behind a webhook, which makes of each write what it likes; its controller writes its status beside us. */
async function released(
  first: PresentResource,
  webhook: (asked: PresentResource, at: number) => PresentResource,
  mayWrite: () => Promise<string | undefined> = () => Promise.resolve(undefined),
) {
  const clock = new VirtualClock();
  const writes: Written[] = [];
  let is = first;
  const version = () => String(Number(is.resourceVersion) + 1);
  const scaler: Scaler = {
    async write(_shoot, _ref, seen, change) {
      if (seen.resourceVersion !== is.resourceVersion) return { outcome: 'conflict' };
      const { replicas = is.replicas, mark = is.marked, record } = change;
      const { record: before, ...rest } = is;
      const after = record === undefined ? before : (record ?? undefined);
      const asked = { ...rest, replicas, marked: mark, ...(after === undefined ? {} : { record: String(after) }) };
      writes.push({ at: clock.now(), change });
      is = { ...webhook(asked, clock.now()), resourceVersion: version() };
      const view = is;
      is = { ...is, resourceVersion: version() };
      return { outcome: isUndone({ replicas: seen.replicas, ...change }, view) ? 'undone' : 'written', view };
    },
    read: async () => ({ outcome: 'read', view: is }),
  };
  const config = readProberConfig({
    kubeConfigSecretName: 'probe',
    dependentResourceInfos: [
      {
        ref: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'mcm' },
        scaleUp: { level: 0 },
        scaleDown: { level: 0 },
      },
    ],
  });
  if (!config.ok) throw new Error('the configuration cannot be read');
  const dependant = config.config.dependants[0]!;
  const standing: ShootStanding = {
    shoot: 'shoot--a--b',
    state: 'scaledDown',
    dependants: [{ dependant, state: 'scaledDown', view: first, odd: [] }],
  };
  const steps: ReleaseStep[] = [];
  const running = releaseShoot({
    standing,
    scaler,
    dryRun: false,
    say: (step) => steps.push(step),
    mayWrite,
    mayTryAgain: patience(clock),
  });
  let counts: Awaited<typeof running> | undefined;
  void running.then((one) => (counts = one));
  await clock.advanceBy(120_000);
  return { counts, writes, is, says: steps.map(({ says }) => says) };
}

const down = shielded({ replicas: 0, record: '2', resourceVersion: '1' });

test('6.8 L1 release takes the mark away once the seed shows the replicas, by a write of its own', async () => {
  const { counts, writes, is, says } = await released(down, (asked) => asked);
  expect(writes.map(({ change }) => change)).toEqual([{ replicas: 2 }, { mark: false, record: null }]);
  expect(is).toMatchObject({ replicas: 2, marked: false });
  expect(is.record).toBeUndefined();
  expect({ counts, says }).toEqual({
    counts: { released: 1, failed: 0, leftAlone: false },
    says: ['scaled Deployment mcm from 0 to 2 and removed the mark'],
  });
});

test('6.8 L1 behind a webhook that holds it at 0 for 3 s, release tries again with growing pauses, and gives back what was recorded', async () => {
  const { counts, writes, is, says } = await released(down, (asked, at) =>
    at < 3_000 ? { ...asked, replicas: 0 } : asked,
  );
  expect(writes.map(({ at }) => at)).toEqual([0, 250, 750, 1_750, 3_750, 3_750]);
  expect(is).toMatchObject({ replicas: 2, marked: false });
  expect(counts).toEqual({ released: 1, failed: 0, leftAlone: false });
  expect(says).toEqual(['scaled Deployment mcm from 0 to 2 and removed the mark']);
});

test.each<[string, (asked: PresentResource) => PresentResource, string, Partial<PresentResource>]>([
  [
    'holds it at 0',
    (asked) => ({ ...asked, replicas: 0 }),
    'it is at 0 of 2 replicas, and still carries the mark',
    { replicas: 0, marked: true, record: '2' },
  ],
  [
    'lets it have 1 of 2',
    (asked) => ({ ...asked, replicas: Math.min(1, asked.replicas) }),
    'it is at 1 of 2 replicas, and still carries the mark',
    { replicas: 1, marked: true, record: '2' },
  ],
  [
    'puts the mark back',
    (asked) => ({ ...asked, marked: true }),
    'it is at 2 replicas, and still carries the mark',
    { replicas: 2, marked: true },
  ],
  [
    'takes the replicas away with the mark',
    (asked) => (asked.marked ? asked : { ...asked, replicas: 0 }),
    'it is at 0 of 2 replicas, and still carries the mark',
    { replicas: 0, marked: true, record: '2' },
  ],
])(
  '6.8 L1 behind a webhook that %s, release gives up after a few tries, says what stands there, and loses no record',
  async (_, webhook, says, stands) => {
    const told = await released(down, webhook);
    expect(told.says.at(-1)).toMatch(
      /^Deployment mcm could not be released: the seed took the write, and .* 6 times: /,
    );
    expect(told.says.at(-1)).toContain(says);
    expect(told.counts).toEqual({ released: 0, failed: 1, leftAlone: false });
    expect(told.is).toMatchObject(stands);
    expect(told.writes.at(-1)!.at).toBe(7_750);
    expect(told.writes.length).toBeLessThan(25);
  },
);

test('1.1 once another prober leads, nothing more is written but what was lost by our own write', async () => {
  let isTaken = false;
  const { writes, is, says } = await released(
    down,
    (asked) => {
      isTaken ||= !asked.marked;
      return asked.marked ? asked : { ...asked, replicas: 0 };
    },
    async () => (isTaken ? 'the prober x leads.' : undefined),
  );
  expect(writes.map(({ change }) => change)).toEqual([
    { replicas: 2 },
    { mark: false, record: null },
    { mark: true, record: 2 },
  ]);
  expect(is).toMatchObject({ replicas: 0, marked: true, record: '2' });
  expect(says).toEqual(['Deployment mcm could not be released: the prober x leads.']);
});
