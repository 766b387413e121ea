import { expect, test } from 'vitest';
import type { StoredObject } from '../../src/adapters/reflector/stream-item.ts';
import { PodSightings } from '../../src/adapters/weeder-seed/pod-sightings.ts';
import type { PodView } from '../../src/domain/weeder/pod.ts';

const namespace = 'shoot--a--one';

test('7.4 of pods that are gone a thousand are remembered, so that a stream that lags tells nothing of them, and no more', () => {
  const store = new Map<string, StoredObject<PodView | undefined>>();
  const sightings = new PodSightings(namespace, () => [store]);
  const shows = (name: string, resourceVersion: string) => {
    const value: PodView = { name, uid: `uid of ${name}`, state: 'crashLooping', containers: ['c'] };
    store.set(`${namespace}/${name}`, { namespace, name, resourceVersion, value });
    return sightings.look({ name });
  };
  const goes = (name: string) => {
    store.delete(`${namespace}/${name}`);
    return sightings.look({ name }, '100');
  };
  for (let pod = 0; pod < 1_001; pod++) {
    expect(shows(`pod-${pod}`, '50')).toMatchObject([{ type: 'changed' }]);
    expect(goes(`pod-${pod}`)).toMatchObject([{ type: 'gone' }]);
  }
  // A stream that lags still shows it.
  expect(shows('pod-1000', '50')).toEqual([]);
  expect(shows('pod-1', '50')).toEqual([]);
  expect(shows('pod-0', '50')).toMatchObject([{ type: 'changed' }]);
});
