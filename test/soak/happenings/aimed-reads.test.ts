import { expect, test } from 'vitest';
import { bounds } from '../laws/bounds.ts';
import { live } from '../life.ts';
import { quietPlan } from '../quiet-plan.ts';

// Happenings that begin with one of our own writes, and make reads fail from then on.

const shoot = 'shoot--demo--01';

const widget = `  - ref: {apiVersion: example.org/v1, kind: Widget, name: widget}
    optional: false
    scaleUp: {level: 0}
    scaleDown: {level: 0}
`;

type Seen = Readonly<{ faults: Readonly<Record<string, number>>; takenBack: number }>;

/** The faults that struck while a shoot was cut off and came back, and how much of what waited was taken back. */
async function outageWith(kind: string, at: number, of: object, proberConfig = quietPlan.proberConfig): Promise<Seen> {
  const faults: Record<string, number> = {};
  let takenBack = 0;
  const happenings = [
    { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
    { at, kind, shoot, of: { which: 1, ...of } },
    { at: 200_000, kind: 'nodes healed', shoot },
  ];
  const { broken, judged } = await live(
    {
      ...quietPlan,
      proberConfig,
      weather: 300_000,
      happenings: happenings.toSorted((one, other) => one.at - other.at),
    },
    {
      laws: [bounds],
      endsWithWeather: true,
      observe(seen) {
        if (seen.kind === 'fault') faults[seen.name] = (faults[seen.name] ?? 0) + 1;
        if (seen.kind === 'turn') takenBack += seen.turn.commands.filter(({ type }) => type === 'withdraw').length;
      },
    },
  );
  expect(broken).toBe(undefined);
  expect(judged['bounds of writes and reads of the dependants of one machine']).toBeGreaterThan(20);
  return { faults, takenBack };
}

test.each([
  ['the object', 'down', { fails: 'object', as: 'refused' }, 30_001],
  ['the scale', 'up', { fails: 'scale', as: 'status' }, 199_999],
] as const)(
  '6.6 of two requests that read a kind, that for %s fails on the way %s, and the other one is cut',
  async (...it) => {
    const [, , of, at] = it;
    const { faults } = await outageWith('reads split', at, { ...of, length: 20_000 }, quietPlan.proberConfig + widget);
    // At least ten times as the one failed the other one was not answered: more than the seed may be asked at once.
    expect(faults[`seed: ${of.as}`]).toBeGreaterThan(10);
    expect(faults['seed: lost']).toBe(faults[`seed: ${of.as}`]);
  },
);

test('6.6 while the seed asks for patience, what was to be read is taken back as a way down reads it at once', async () => {
  const { faults, takenBack } = await outageWith('reads held', 30_001, { patience: 50, length: 70_000 });
  expect(faults['seed: server throttle']).toBeGreaterThan(50);
  // More than may wait for one shoot.
  expect(takenBack).toBeGreaterThan(12);
});
