import { expect, test } from 'vitest';
import { live } from './life.ts';
import { quietPlan } from './quiet-plan.ts';

test('6.6 8 the Lease shows leader and standby that a seed went back, though their watches wait in silence for what it was', async () => {
  const plan = {
    ...quietPlan,
    servers: 2,
    replicas: { prober: 2, weeder: 2 },
    election: true,
    weather: 65_000,
    happenings: [
      { at: 10_000, kind: 'etcd backed up' },
      { at: 30_000, kind: 'etcd restored', of: { unnoticed: 30_000 } },
    ],
  };
  /** After the restore, in ms. */
  const listed = new Map<string, number>();
  let beganAt: number | undefined;
  await live(plan, {
    laws: [],
    endsWithWeather: true,
    observe(seen) {
      beganAt ??= seen.at;
      if (seen.kind !== 'request' || seen.request.url.includes('watch=true')) return;
      const [, kind] = /\/(clusters|endpointslices)\?/.exec(seen.request.url) ?? [];
      const after = seen.at - beganAt - 30_000;
      const stream = `${seen.process} ${kind}`;
      if (kind !== undefined && after > 0 && !listed.has(stream)) listed.set(stream, after);
    },
  });
  expect([...listed.keys()].toSorted()).toEqual([
    'prober-0#1 clusters',
    'prober-1#1 clusters',
    'weeder-0#1 endpointslices',
    'weeder-1#1 endpointslices',
  ]);
  // A standby asks for the Lease after 2 to 4.4 s.
  expect(Math.max(...listed.values())).toBeLessThan(4_500);
});
