import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/simulator/store/embedded-kinds.ts';
import { calmScene, judged } from '../made-up.ts';
import type { Observation } from '../observation.ts';
import { change, shoot, slice, start, weeder, weederConfig } from './made-up-weeding.ts';
import { weedingWindows } from './weeding-windows.ts';

function deleted(after: number, role = 'apiserver'): Observation {
  const metadata = { name: 'pod', namespace: shoot, uid: 'u', labels: { role }, deletionTimestamp: 'soon' };
  return change(kinds.pod, start + after, { metadata }, weeder);
}

const started: Observation = { at: start, kind: 'process', slot: 'weeder-0', process: weeder, did: 'started' };
const weeding = (...history: Observation[]) =>
  judged(
    weedingWindows,
    history,
    Object.assign(
      calmScene(() => start),
      { weederConfig },
    ),
  );

describe('S8 7.2 pods go within a window, and once', () => {
  test('S8 within the window of a service that is back, or of a weeder that has begun', () => {
    expect(weeding(slice(0, false), slice(10_000, true), deleted(309_000))).toBe(undefined);
    expect(weeding(slice(0, false), slice(10_000, true), deleted(320_000))).toContain('after the last window opened');
    expect(weeding(slice(-900_000, true), started, deleted(299_000))).toBe(undefined);
    expect(weeding(slice(-900_000, true), deleted(0))).toContain('after the last window opened');
  });

  test('S8 not while the service is down, nor where nothing selects the pod', () => {
    expect(weeding(slice(0, true), slice(1_000, false), deleted(2_000))).toBe(undefined);
    expect(weeding(slice(0, true), slice(1_000, false), deleted(9_000))).toContain('no service was available');
    expect(weeding(slice(0, true), deleted(2_000, 'other'))).toContain('no service was available');
  });

  test('S8 a weeder whose watch was silent as it stood still is told as long after that as another one', () => {
    const silent: Observation = { at: start + 90_000, kind: 'fault', name: 'seed: watch silent', process: 'weeder-0' };
    const resumed: Observation = { ...started, at: start + 90_000, did: 'resumed' };
    const down = [slice(-9_000, true), slice(0, false)];
    expect(weeding(...down, silent, deleted(130_000))).toContain('no service was available');
    expect(weeding(...down, resumed, silent, deleted(130_000))).toBe(undefined);
    expect(weeding(...down, resumed, silent, deleted(211_000))).toContain('no service was available');
  });

  test('S8 once', () => {
    expect(weeding(slice(0, true), deleted(2_000), deleted(4_000))).toBe(undefined);
    expect(weeding(slice(0, true), deleted(2_000), deleted(9_000))).toContain('7000 ms after it had been deleted');
  });
});
