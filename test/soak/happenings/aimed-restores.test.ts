import { expect, test } from 'vitest';
import type { Happening } from '../happening.ts';
import { onlyLeadersWrite } from '../laws/only-leaders-write.ts';
import { healedInTime } from '../laws/healed-in-time.ts';
import { live } from '../life.ts';
import { quietPlan } from '../quiet-plan.ts';
import type { SeedPlan } from '../seed-plan.ts';

// Happenings that wait for their moment, and then are told by the name of what they do.

const shoot = 'shoot--demo--01';

async function restoresIn(happenings: readonly Happening[], more: Partial<SeedPlan> = {}): Promise<readonly string[]> {
  const drawn = new Set(happenings.map(({ kind }) => kind));
  const restores: string[] = [];
  const { broken, judged } = await live(
    { ...quietPlan, weather: 300_000, happenings, ...more },
    {
      laws: [healedInTime, onlyLeadersWrite],
      endsWithWeather: true,
      observe(seen) {
        if (seen.kind === 'happening' && !drawn.has(seen.happening.kind)) restores.push(seen.happening.kind);
      },
    },
  );
  expect(broken).toBe(undefined);
  return [
    ...restores,
    `${judged['dependants that came up again']} up, ${judged['Leases taken after they went back']} taken`,
  ];
}

test('6.6 a backup of what goes up is restored once it is up, and it goes up again though the counter has overtaken what was seen', async () => {
  const of = { after: 2_000, length: 1_000, others: 500 };
  const happenings: readonly Happening[] = [
    { at: 30_000, kind: 'nodes cut off', shoot, of: { fraction: 1 } },
    { at: 100_000, kind: 'nodes healed', shoot },
    { at: 100_000, kind: 'etcd backed up as it goes up', shoot, of },
  ];
  const [restored, counted] = await restoresIn(happenings);
  expect(restored).toBe('etcd restored while away');
  // One of the three came up twice.
  expect(counted).toContain('4 up');
});

test('8 a Lease that was let go is restored once another process leads and a standby is there, and the leader goes on', async () => {
  const letGo = { at: 61_000, kind: 'Lease let go and backed up', of: { role: 'prober', after: 30_000 } };
  const electing = { replicas: { prober: 2, weeder: 0 }, election: true };
  expect(await restoresIn([letGo], electing)).toEqual(['etcd restored', '0 up, 0 taken']);
});
