import { expect, test } from 'vitest';
import type { Law } from '../law.ts';
import { live } from '../life.ts';
import type { Observation } from '../observation.ts';
import { quietPlan } from '../quiet-plan.ts';
import { leasesLetGo } from './leases-let-go.ts';
import { begun } from '../made-up.ts';

/** What the law says of a leader that is told to end 30 s after its start, where it hears these in the place of each observation. */
async function judged(heardOf: (seen: Observation) => readonly Observation[]): Promise<string | undefined> {
  const law: Law = {
    ...leasesLetGo,
    begin(scene) {
      const { hear, ...rest } = begun(leasesLetGo, scene);
      return {
        ...rest,
        hear: (seen) => heardOf(seen).reduce<string | undefined>((why, one) => why ?? hear?.(one), undefined),
      };
    },
  };
  const happenings = [{ at: 30_000, kind: 'process told to end', of: { slot: 'prober-0' } }];
  const { broken, judged: counts } = await live(
    { ...quietPlan, election: true, weather: 60_000, happenings },
    { laws: [law], endsWithWeather: true },
  );
  expect(counts['processes that ended as they were told']).toBeLessThanOrEqual(1);
  return broken?.why;
}

/** It seems to have ended in the moment in which it was told to. */
const atOnce = (seen: Observation): readonly Observation[] =>
  seen.kind === 'process' && seen.did === 'told to end' ? [seen, { ...seen, did: 'ended', why: 'SIGTERM' }] : [seen];

const struck = (seen: Observation): readonly Observation[] =>
  atOnce(seen).flatMap((one) =>
    one.kind === 'process' && one.did === 'ended'
      ? [{ at: one.at, kind: 'fault', name: 'seed: lost', process: 'prober-0' }, one]
      : [one],
  );

test('1.4 who ends lets its Lease go: it did, and one that has not is seen, unless it met a fault', async () => {
  expect(await judged((seen) => [seen])).toBe(undefined);
  expect(await judged(atOnce)).toBe('prober-0#1 has ended, and garden/dwd-prober-leader-election still bears its name');
  expect(await judged(struck)).toBe(undefined);
});
