import { expect, test } from 'vitest';
import type { ProberConfig } from '../../src/domain/prober/prober-config.ts';
import type { PathFault } from '@dwd/simulator/api/balancer.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { watchedSeed } from '../support/watched-seed.ts';

/** The older generation's defaults; the first probe comes at once. */
const config: ProberConfig = { ...twoPathConfig, initialDelay: 0 };

test.each<readonly [PathFault['kind'], PathFault]>([
  ['refuse', { kind: 'refuse' }],
  ['cut', { kind: 'cut' }],
  ['reset', { kind: 'reset' }],
  ['hang', { kind: 'hang' }],
])(
  '4.9 a load balancer that breaks for both prober and kubelets (%s): no node is marked, and all comes back',
  async (_, fault) => {
    await using stage = await watchedSeed({ config });
    const shoot = stage.shoot();
    await stage.pass(40_000);
    await shoot.paths.break('external', fault);
    await stage.untilState('scaledDown', 35_000);
    await stage.pass(120_000);
    expect(stage.marks).toBe(0);
    await shoot.paths.heal('external');
    await stage.untilState('probing', 120_000);
    for (const name of shoot.dependants.names)
      expect(shoot.dependants.get(name)).toEqual({ desired: 1, ready: 1, annotations: {} });
    await stage.pass(60_000);
    expect(stage.marks).toBe(0);
  },
);

test.each<readonly [PathFault['kind'], PathFault]>([
  ['refuse', { kind: 'refuse' }],
  ['hang', { kind: 'hang' }],
])('S1 4.9 an internal path that breaks (%s) scales nothing, and no node is marked', async (_, fault) => {
  await using stage = await watchedSeed({ config });
  const shoot = stage.shoot();
  await stage.pass(40_000);
  await shoot.paths.break('internal', fault);
  await stage.pass(180_000);
  expect([stage.changes.scalings(), stage.state(), stage.marks]).toEqual([[], 'probing', 0]);
  expect(stage.notesOf('internalFailed')).toHaveLength(1);
  await shoot.paths.heal('internal');
  await stage.pass(60_000);
  expect([stage.changes.scalings(), stage.state()]).toEqual([[], 'probing']);
});

test('4.9 a load balancer that is slow, and carries the renewals, is no outage', async () => {
  await using stage = await watchedSeed({ config });
  await stage.pass(40_000);
  await stage.shoot().paths.break('external', { kind: 'slow', delay: 300 });
  await stage.pass(180_000);
  expect([stage.changes.scalings(), stage.state(), stage.marks]).toEqual([[], 'probing', 0]);
});
