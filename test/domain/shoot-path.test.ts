import { expect, test } from 'vitest';
import type { ProbeFailureReason } from '../../src/domain/prober/probe-failure.ts';
import { judgePath, type PathTold } from '../../src/domain/prober/shoot-path.ts';

const told: Record<ProbeFailureReason, PathTold> = {
  unauthorized: 'answered',
  throttled: 'answered',
  kubeconfig: 'untold',
  local: 'untold',
  unreachable: 'failed',
  certificate: 'failed',
  timeout: 'failed',
  refused: 'failed',
  garbled: 'failed',
  tooLarge: 'failed',
};

test.each(Object.entries(told) as [ProbeFailureReason, PathTold][])(
  '4.9 a path that fails as %s has %s',
  (reason, is) => {
    for (const stage of ['internal', 'external'] as const) expect(judgePath({ stage, reason, detail: 'no' })).toBe(is);
  },
);

test('4.9 a path without a failure has answered', () => {
  expect(judgePath(undefined)).toBe('answered');
});
