import { expect, test } from 'vitest';
import type { ShootNote } from 'dependency-watchdog/machines/shoot-language.ts';
import { cutOff, type Happening } from '../happening.ts';
import { live } from '../life.ts';
import { hearing, shoot } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { quietPlan } from '../seed-plan.ts';
import { partialOutages } from './zones.ts';

/** Each zone has two nodes. */
const zoneGoes: readonly Happening[] = [
  { at: 120_000, kind: 'zone cut off', shoot, of: { which: 1 } },
  { at: 260_000, kind: 'nodes healed', shoot },
];

/** What the law says of a life in which this happens, where it hears the notes of each turn so; and what it judged. */
async function lived(
  happenings: readonly Happening[],
  heardAs: (notes: readonly ShootNote[]) => readonly ShootNote[] = (notes) => notes,
) {
  const heard = (seen: Observation): Observation =>
    seen.kind === 'turn' && seen.turn.kind === 'shoot'
      ? { ...seen, turn: { ...seen.turn, notes: heardAs(seen.turn.notes) } }
      : seen;
  const { broken, judged } = await live(
    { ...quietPlan, nodes: 6, weather: 400_000, happenings },
    { laws: [hearing(partialOutages, (seen) => [heard(seen)])], endsWithWeather: true },
  );
  return { why: broken?.why, judged };
}

const without = (kind: ShootNote['kind']) => (notes: readonly ShootNote[]) => notes.filter((one) => one.kind !== kind);

const outage = { kind: 'partialOutage', by: 'zone', groups: ['zone-a'], expired: 2, nodes: 2, firstMarkAt: 0 } as const;
const aloneToo = (notes: readonly ShootNote[]): readonly ShootNote[] =>
  notes.some((one) => one.kind === 'verdict' && one.verdict === 'cutOff') ? [...notes, outage] : notes;

test('5.6 a zone that is cut off is told, and that it is over; it is seen where either is not said', async () => {
  const { why, judged } = await lived(zoneGoes);
  expect(why).toBeUndefined();
  expect(judged['zones that were told']).toBe(1);
  expect(judged['looks at zones that had to be told']).toBeGreaterThan(30);
  expect((await lived(zoneGoes, without('partialOutage'))).why).toContain('has not said that a zone is cut off');
  expect((await lived(zoneGoes, without('partialOutageOver'))).why).toContain('still says that a zone is cut off');
});

test('5.6 in an outage of all nobody says that a zone is cut off alone, and it is seen where somebody does', async () => {
  const all = cutOff(shoot, 120_000, 260_000);
  expect(await lived(all)).toMatchObject({ why: undefined, judged: { 'zones that were told': 0 } });
  expect((await lived(all, aloneToo)).why).toContain('zone-a of shoot--demo--01 was cut off alone');
});
