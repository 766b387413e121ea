import { expect, test } from 'vitest';
import {
  networkStoryLengths,
  networkStoryPart,
  speedFor,
} from '../../commands/simulate/network-outage/network-story.ts';
import { dueStep, isGoalReached } from '../../commands/simulate/story/story.ts';
import { dependant, gardenerConfig } from '@dwd/testing/prober-configs.ts';
import { down, healthy, SeenNetwork, start, up } from './simulate-stage.ts';

const lengths = networkStoryLengths(gardenerConfig);
const [one, two] = ['shoot--demo--01', 'shoot--demo--02'];
const threat = { crossedAt: start, firstMarkAt: start };

const isReached = ({ model }: SeenNetwork) => isGoalReached(networkStoryPart(model.phase, lengths), model);

/** The step at so many seconds since the start, the goal having been reached at `reached`. */
function step({ model }: SeenNetwork, now: number, reached?: number, slack = 0) {
  const reachedAt = reached === undefined ? undefined : start + 1_000 * reached;
  return dueStep(networkStoryPart(model.phase, lengths), model, { now: start + 1_000 * now, reachedAt, slack });
}

test("1.1 Gardener's story is as long as its delays and grace make it, and fits into 50 s", () => {
  // 36 s to the first probe, 10 s of quiet, 40 s of grace, two looks and 10 s to the last Machine that is replaced, 10.4 s to the last renewal, 36 s to the next
  // probe, three levels with 30 s between them, and two pauses.
  expect(lengths).toMatchObject({ calm: 36_000, quiet: 10_000, outage: 60_000, pause: 4_000 });
  expect(lengths.back).toBeCloseTo(10_400 + 36_000 + 30_000 + 3 * 4_000);
  expect(lengths.total / speedFor(lengths)).toBeLessThanOrEqual(48_000);
  expect(lengths.total / (speedFor(lengths) - 0.2)).toBeGreaterThan(48_000);
});

test('1.1 thresholds, levels and delays make the story longer; a short one is not slowed down', () => {
  const slow = networkStoryLengths({ ...gardenerConfig, failureThreshold: 3, successThreshold: 2 });
  expect(slow.down - lengths.down).toBe(2 * 36_000);
  expect(slow.back - lengths.back).toBe(36_000);
  const steps = [1, 1, 2].map((level, index) =>
    dependant('apps/v1', 'Deployment', `d${index}`, { down: level, up: level, downDelay: 5_000 * (3 - index) }),
  );
  // Level 1 waits for the slower of its two.
  expect(networkStoryLengths({ ...gardenerConfig, dependants: steps }).down).toBe(40_000 + 15_000 + 5_000 + 2_000);
  const short = { ...gardenerConfig, initialDelay: 0, probeInterval: 1_000, kcmNodeMonitorGraceDuration: 1_000 };
  expect(speedFor(networkStoryLengths({ ...short, dependants: steps.slice(0, 1) }))).toBe(1);
});

test('1.1 the calm lasts until every shoot was probed, and the quiet after it', () => {
  const stage = new SeenNetwork().phase(0, 'calm').turn(1, one, 'probing', healthy);
  expect(isReached(stage)).toBe(false);
  expect(step(stage, 30)).toBeUndefined();
  stage.turn(2, two, 'probing', healthy);
  expect(isReached(stage)).toBe(true);
  expect(step(stage, 39.9, 30)).toBeUndefined();
  expect(step(stage, 40, 30)).toEqual({ next: 'outage', missed: [] });
});

test('1.1 the outage lasts until everything is at 0, and in any case until every Machine would be replaced', () => {
  const stage = new SeenNetwork().phase(50, 'outage', { [one]: threat }).all(80, one, down);
  expect(isReached(stage)).toBe(false);
  stage.turn(81, one, 'scaledDown');
  expect(isReached(stage)).toBe(true);
  expect(step(stage, 109.9, 81)).toBeUndefined();
  expect(step(stage, 110, 81)).toEqual({ next: 'healing', missed: [] });
  // Its word alone does not count.
  stage.dependant(82, one, 'apps/v1/Deployment/kube-controller-manager', up(1));
  expect(isReached(stage)).toBe(false);
});

test('1.1 the healing lasts until everything is as before', () => {
  const stage = new SeenNetwork()
    .phase(50, 'outage', { [one]: threat })
    .turn(55, one, 'scaledDown')
    .all(56, one, down);
  stage.phase(100, 'healing').turn(110, one, 'probing').turn(110, two, 'probing');
  expect(isReached(stage)).toBe(false);
  stage.all(140, one, (before) => up(before));
  expect(isReached(stage)).toBe(true);
  expect(step(stage, 144, 140)).toEqual({ next: 'over', missed: [] });
});

test('1.1 after a deadline it goes on, and says for whom it waited in vain', () => {
  const calm = new SeenNetwork().phase(0, 'calm').turn(1, one, 'probing', healthy);
  expect(step(calm, 50)).toBeUndefined();
  expect(step(calm, 51)).toEqual({ next: 'outage', missed: [`${two} was never found connected in the calm`] });
  expect(step(calm, 51, undefined, 2_000)).toBeUndefined();

  const outage = new SeenNetwork().phase(50, 'outage', { [one]: threat });
  expect(step(outage, 125)).toEqual({
    next: 'healing',
    missed: [`${one} was not scaled down while it was cut off`],
  });
  const healing = new SeenNetwork().turn(1, one, 'probing').turn(1, two, 'probing').phase(100, 'healing');
  healing.dependant(101, two, 'apps/v1/Deployment/cluster-autoscaler', down(1));
  expect(step(healing, 300)).toEqual({
    next: 'over',
    missed: [`${two} was not brought back when the outage was over`],
  });
});

test('1.1 6.5 from the second outage on, a shoot may wait before it is brought back', () => {
  const [first, second] = [1, 2].map((nth) => networkStoryPart('healing', lengths, nth)!.deadline);
  expect(second! - first!).toBe(120_000);
});

test('1.1 the whole of it ends within a minute, deadlines and all, at the speed that is its default', () => {
  const { calm, quiet, down: downLength, outage, back, pause } = lengths;
  const deadlines = 1.1 * (calm + quiet + Math.max(downLength, outage) + pause + back + pause);
  expect(deadlines / speedFor(lengths) + 3 * 1_500).toBeLessThan(60_000);
});
