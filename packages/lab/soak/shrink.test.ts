import { expect, test } from 'vitest';
import { drawPlan } from './draw-plan.ts';
import type { SeedPlan } from './seed-plan.ts';
import { shrink } from './shrink.ts';

const plan: SeedPlan = {
  ...drawPlan(7),
  shoots: 8,
  weather: 100_000,
  happenings: Array.from({ length: 40 }, (_, index) => ({
    at: index * 1_000,
    kind: `thing ${index}`,
    shoot: `shoot--demo--0${1 + (index % 8)}`,
  })),
};

/** As a law that these two things break together, at the time of the later one. */
const breaks = async ({ happenings }: SeedPlan): Promise<number | undefined> => {
  const kinds = happenings.map(({ kind }) => kind);
  return kinds.includes('thing 8') && kinds.includes('thing 24') ? 24_500 : undefined;
};

test('what is not needed to break the law goes, and what is needed stays', async () => {
  const { plan: smaller } = await shrink(plan, breaks, (lived) => lived < 200);
  expect(smaller.happenings.map(({ kind }) => kind)).toEqual(['thing 8', 'thing 24']);
  expect(smaller).toMatchObject({ shoots: 1, weather: 24_501, replicas: { prober: 1, weeder: 0 } });
  expect(await breaks(smaller)).toBe(24_500);
});

test('no more lives are lived than may be, and the story still breaks the law', async () => {
  const { plan: smaller, lived } = await shrink(plan, breaks, (lived) => lived < 9);
  expect(lived).toBe(9);
  expect(await breaks(smaller)).toBe(24_500);
});

test('a story that breaks the law no more stays as it was', async () => {
  const { plan: same } = await shrink(
    plan,
    async () => undefined,
    (lived) => lived < 50,
  );
  expect(same).toEqual(plan);
});
