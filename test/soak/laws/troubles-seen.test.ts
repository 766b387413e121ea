import { expect, test } from 'vitest';
import { calmScene, clusterSaid } from '../made-up.ts';
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

/** Whether a process counts as just begun 100 s after its begin, where the seed asked it to wait for two hours so long after it. */
function stillBegins(throttledAfter: number): boolean {
  const begun = 'a process had just begun';
  const troubles = new TroublesSeen(calmScene(() => 0));
  const process = 'prober-0#1';
  const request = { method: 'GET', url: '/apis/extensions.gardener.cloud/v1alpha1/clusters', headers: {} };
  troubles.hear({ at: 0, kind: 'process', slot: 'prober-0', process, did: 'started' });
  troubles.hear({ at: throttledAfter, kind: 'throttled', process, request, retryAfter: 7_200_000 });
  return troubles.reasonAt(shoot, 100_000, [begun]) === begun;
}

test('a process that a seed asks to wait while it begins lists the seed a minute later', () => {
  expect(stillBegins(20)).toBe(true);
  expect(stillBegins(80_000)).toBe(false);
});

/** Whether a shoot whose Cluster let it be probed at 0 counts as ruled out a minute later. */
function stillRuledOut(happened: string): boolean {
  const ruledOut = 'the Cluster ruled it out, or could not be read';
  const troubles = new TroublesSeen(calmScene(() => 0));
  troubles.hear({ at: -9_000, kind: 'happening', happening: { at: 0, kind: happened } });
  troubles.hear(clusterSaid(-9_000, 'hibernated'));
  troubles.hear(clusterSaid(0, 'awake'));
  return troubles.reasonAt(shoot, 60_000, [ruledOut]) === ruledOut;
}

test('while Clusters may not be watched, a list tells half a minute later that a shoot may be probed', () => {
  expect(stillRuledOut('Clusters unwatchable')).toBe(true);
  expect(stillRuledOut('seed well')).toBe(false);
});
