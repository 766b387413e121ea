import { expect, test } from 'vitest';
import { loggedConfig } from '../../src/commands/role/logged-config.ts';
import { gardenerConfig, twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { gardenerWeederConfig } from '@dwd/testing/weeder-configs.ts';

test('9.4 the log shows a configuration with lengths of time as the operator writes them', () => {
  expect(loggedConfig(gardenerConfig)).toMatchObject({
    probeInterval: '30s',
    probeTimeout: '30s',
    kcmNodeMonitorGraceDuration: '40s',
    nodeLeaseFailureFraction: 0.6,
    dependants: expect.arrayContaining([
      expect.objectContaining({ scaleUp: { level: 1, initialDelay: '30s', timeout: '30s' } }),
    ]),
  });
  expect(loggedConfig(gardenerWeederConfig)).toMatchObject({ watchDuration: '5m0s' });
});

test.each([
  ['prober', gardenerConfig],
  ['prober with two paths', twoPathConfig],
  ['weeder', gardenerWeederConfig],
])('9.4 no length of time of a configuration is shown without its unit: %s', (_, config) => {
  // All other numbers of a configuration are small, and all lengths of time in these are a second or more.
  const numbers = [...JSON.stringify(loggedConfig(config)).matchAll(/:(\d+)/g)].map(([, digits]) => Number(digits));
  expect(numbers.filter((number) => number >= 1_000)).toEqual([]);
});
