import { expect, test } from 'vitest';
import type { Happening } from '../happening.ts';
import type { Law } from '../law.ts';
import { live } from '../life.ts';
import type { Observation } from '../observation.ts';
import { quietPlan } from '../quiet-plan.ts';
import { ownKubeconfigs } from './own-kubeconfigs.ts';
import { begun } from '../made-up.ts';

// A life in which a Secret is rotated, and one in which it is gone. The law hears it as it was, or of a process that goes on with the first kubeconfig.

const shoot = 'shoot--demo--01';

async function judged(happenings: readonly Happening[], isStale: boolean): Promise<string> {
  let first: Extract<Observation, { kind: 'request' }>['request'] | undefined;
  const stale = (one: Observation): Observation => {
    if (one.kind !== 'request' || one.to === undefined) return one;
    first ??= one.request;
    return isStale ? { ...one, request: { ...one.request, headers: first.headers } } : one;
  };
  const law: Law = {
    ...ownKubeconfigs,
    begin(scene) {
      const { hear, ...rest } = begun(ownKubeconfigs, scene);
      return { ...rest, hear: (one) => hear?.(stale(one)) };
    },
  };
  const { broken, judged: counts } = await live(
    { ...quietPlan, weather: 200_000, happenings },
    { laws: [law], endsWithWeather: true },
  );
  expect(counts['Secrets that lost a token']).toBe(1);
  return broken?.why ?? 'nothing';
}

test('4.1 a Secret that was rotated, or is gone: no probe goes by what it was, and one that does is seen', async () => {
  const rotated: readonly Happening[] = [{ at: 100_000, kind: 'Secret rotated', shoot }];
  expect(await judged(rotated, false)).toBe('nothing');
  expect(await judged(rotated, true)).toMatch(/^prober-0#1 asked shoot--demo--01 with a token \d/);
  expect(await judged([{ at: 100_000, kind: 'Secret removed', shoot }], false)).toBe('nothing');
});

/** The Secret is rotated while the seed is away. */
const away = (until: number): readonly Happening[] => [
  { at: 100_000, kind: 'seed down' },
  { at: 100_500, kind: 'Secret rotated', shoot },
  { at: until, kind: 'seed well' },
];

test('4.1 what was rotated while the seed was away is known once it has been back for a while, and not before', async () => {
  expect(await judged(away(110_000), true)).toContain('with a token');
  expect(await judged(away(180_000), true)).toBe('nothing');
});
