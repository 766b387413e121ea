import { expect, test } from 'vitest';
import type { Happening } from '../happening.ts';
import { healedInTime } from '../laws/healed-in-time.ts';
import { live } from '../life.ts';
import { quietPlan } from '../quiet-plan.ts';
import { strike } from '../happenings.ts';
import { lastRestores } from './last-restores.ts';

/** A life of one prober without an election, in which nothing happens but what the number draws for its end. */
async function lifeOf(number: number): Promise<Readonly<{ way: string; broken: unknown }>> {
  const plan = { ...quietPlan, number, servers: 1 + (number % 2), restores: true, weather: 400_000 };
  const drawn = lastRestores.flatMap(({ draw }) => draw(() => 0.5, plan, 0, ''));
  const happenings = drawn.toSorted((one, other) => one.at - other.at);
  const { broken } = await live({ ...plan, happenings }, { laws: [healedInTime] });
  return { way: wayOf(drawn), broken };
}

function wayOf(drawn: readonly Happening[]): string {
  const kinds = new Set(drawn.map(({ kind }) => kind));
  if (kinds.has('all processes crashed')) return 'as processes begin';
  return kinds.has('etcd restored') ? 'missed by a server' : 'from under a way up';
}

test('6.6 whatever is restored just before calm, all that it put down goes up again without an election', async () => {
  const ways = new Set<string>();
  for (let number = 1; number <= 16; number += 1) {
    const { way, broken } = await lifeOf(number);
    ways.add(way);
    expect(broken, `number ${number}, ${way}`).toBe(undefined);
  }
  expect([...ways].toSorted()).toEqual(['as processes begin', 'from under a way up', 'missed by a server']);
});

test('6.6 processes are led to the server that missed a restore until it starts afresh', async () => {
  const led: unknown[] = [];
  await live(
    { ...quietPlan, servers: 2 },
    {
      laws: [],
      async conduct(scene, passTo) {
        strike(scene, { at: 0, kind: 'etcd backed up' });
        for (const age of [5_000, 14_000, 16_000]) {
          await passTo(age);
          if (age === 5_000) strike(scene, { at: age, kind: 'etcd restored', of: { unnoticed: 10_000, leads: true } });
          led.push(scene.slots.map(({ links }) => scene.servers().indexOf(links.seed.leadsTo!)));
        }
      },
    },
  );
  expect(led).toEqual([[1], [1], [-1]]);
});
