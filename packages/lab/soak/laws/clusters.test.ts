import { describe, expect, test } from 'vitest';
import { begun, calmScene, clusterSaid, judged, path, prober, sent, start } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { clustersWord } from './clusters.ts';

const lost: Observation = { at: start, kind: 'fault', name: 'seed: watch silent', process: 'prober-0' };
const word = clusterSaid(start, 'hibernated');

function writing(after: number, ...history: Observation[]): string | undefined {
  return judged(
    clustersWord,
    [...history, sent(start + after, prober, 'PATCH', path)],
    calmScene(() => start),
  );
}

describe('S3 no write against the word of the Cluster', () => {
  test('S3 a write is right until the news of a Cluster must have come', () => {
    expect(writing(400, word)).toBe(undefined);
    expect(writing(600, word)).toContain('600 ms after the Cluster had ruled it out');
    expect(writing(600, word, clusterSaid(start + 500, 'awake'))).toBe(undefined);
  });

  test('S3 where the stream was silent, or the process stood still, it takes longer, and not for ever', () => {
    expect(writing(60_000, word, lost)).toBe(undefined);
    expect(writing(120_001, word, lost)).toContain('had ruled it out');
    const resumed = { at: start + 90_000, kind: 'process', slot: 'prober-0', process: prober, did: 'resumed' } as const;
    expect(writing(90_100, word, resumed)).toBe(undefined);
  });

  test('S3 while Clusters may not be watched, a GET brings the word', () => {
    const refused = happened(-1_000, 'Clusters unwatchable');
    expect(writing(9_000, refused, asked(-500), word)).toBe(undefined);
    expect(writing(9_000, refused, word, asked(8_700))).toBe(undefined);
    expect(writing(9_000, refused, word, asked(8_000))).toContain('had ruled it out');
    expect(writing(200_000, refused, word, happened(100_000, 'seed well'))).toBe(undefined);
    expect(writing(221_000, refused, word, happened(100_000, 'seed well'))).toContain('had ruled it out');
  });

  test('S3 while nothing can be asked, nobody hears the word; what could be heard before that counts', () => {
    expect(writingOut({ from: 0, to: 200_000 }, 300_000)).toBe(undefined);
    expect(writingOut({ from: 0, to: 200_000 }, 321_000)).toContain('had ruled it out');
    expect(writingOut({ from: 125_000, to: 200_000 }, 150_000)).toContain('had ruled it out');
  });
});

const happened = (after: number, kind: string): Observation => ({
  at: start + after,
  kind: 'happening',
  happening: { at: after, kind },
});
const asked = (after: number) =>
  sent(start + after, prober, 'GET', '/apis/extensions.gardener.cloud/v1alpha1/clusters/shoot--demo--01');

/** A write so long after the word, with the way to the seed closed for a time. */
function writingOut(closed: Readonly<{ from: number; to: number }>, after: number): string | undefined {
  let age = 0;
  const scene = calmScene(() => start + age);
  const [slot] = scene.slots;
  const inForce = begun(clustersWord, scene);
  inForce.hear(word);
  for (; age < after; age += 1_000) {
    if (slot !== undefined) slot.links.seed.out = age >= closed.from && age < closed.to ? 'silent' : undefined;
    inForce.look();
  }
  return inForce.hear(sent(start + after, prober, 'PATCH', path));
}
