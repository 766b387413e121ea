import { expect, test } from 'vitest';
import { calmScene } from '../made-up.ts';
import { TroublesSeen } from './troubles-seen.ts';

const shoot = 'shoot--demo--01';
const closed = 'the way to the seed was closed or slow';

/** Whether the way to the seed counts as closed 20 s after a request was lost, so long after the seed was last away. */
function stillClosed(after: number): boolean {
  let now = 0;
  const scene = calmScene(() => now);
  const [slot] = scene.slots;
  const troubles = new TroublesSeen(scene);
  Object.assign(slot!.links.seed, { out: 'refused' });
  troubles.look();
  Object.assign(slot!.links.seed, { out: undefined });
  now = after;
  troubles.hear({ at: now, kind: 'fault', name: 'seed: lost', process: 'prober-0#1' });
  return troubles.reasonAt(shoot, now + 20_000, [closed]) === closed;
}

test('a request that is lost soon after the seed was away makes its streams wait anew', () => {
  expect(stillClosed(60_000)).toBe(true);
  expect(stillClosed(95_000)).toBe(false);
});
