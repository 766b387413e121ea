import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

test('support: sleepers wake in order, never early, and not at all once they have left', async () => {
  const sleeps = fc.array(fc.record({ at: fc.nat(1_000), leaves: fc.boolean() }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(sleeps, fc.nat(1_000), async (plan, target) => {
      const clock = new VirtualClock();
      const woken: { at: number; index: number; now: number }[] = [];
      plan.forEach(({ at, leaves }, index) => {
        const sleep = clock.wakeAt(at).subscribe((now) => woken.push({ at, index, now }));
        if (leaves) sleep.unsubscribe();
      });
      await clock.advanceTo(target);
      const due = plan
        .map(({ at, leaves }, index) => ({ at, leaves, index }))
        .filter((one) => !one.leaves && one.at <= target);
      expect(woken).toEqual(
        due.toSorted((a, b) => a.at - b.at || a.index - b.index).map(({ at, index }) => ({ at, index, now: at })),
      );
      expect(clock.now()).toBe(target);
      expect(clock.sleeping).toBe(plan.filter((one) => !one.leaves && one.at > target).length);
    }),
  );
});
