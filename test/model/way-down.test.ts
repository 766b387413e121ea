import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { worstOfPaths } from '../../src/domain/config/prober-warnings.ts';
import { pathPatience } from '../../src/domain/prober/shoot-path.ts';
import type { TwoPathConfig } from '../../src/domain/prober/prober-config.ts';
import type { Millis } from '../../src/domain/time.ts';
import { twoPathConfig } from '@dwd/testing/prober-configs.ts';
import { ShootDriver } from '@dwd/testing/shoot-driver.ts';

/** How long after its external path broke, which was just after it answered, a shoot is found to be cut off: each question waits in vain. */
function foundAfter(config: TwoPathConfig, chance: number): Millis {
  const driver = new ShootDriver(config, { chance }).allWell();
  driver.cluster();
  driver.wholePaths('connected');
  driver.wholePaths('connected');
  const brokenAt = driver.now;
  while (driver.state === 'probing' || driver.state === 'leaseFailed') {
    driver.wakeProbe();
    const askedAt = driver.now;
    driver.path('internal');
    const at = askedAt + pathPatience(config.probeTimeout, config.kcmNodeMonitorGraceDuration);
    const failure = { reason: 'timeout', stage: 'external', detail: 'no answer' } as const;
    driver.take({ type: 'path.answered', at, number: driver.probeNumber, path: 'external', askedAt, failure });
  }
  expect(driver.state).toBe('scalingDown');
  return driver.now - brokenAt;
}

const worst = (config: TwoPathConfig) => worstOfPaths(config).seeing + worstOfPaths(config).counting;

const exact: readonly (readonly [what: string, config: Partial<TwoPathConfig>, found: Millis])[] = [
  ['10 + 3 × 5', {}, 25_000],
  ['20 + 2 × 6.667 + 5', { probeInterval: 20_000 }, 38_334],
  ['10 + 5', { failureThreshold: 1 }, 15_000],
  ['10 + 2 × 3.333 + 1', { probeTimeout: 1_000 }, 17_666],
  ['900 ms + 2 × 900 ms + 500 ms', { probeInterval: 900, probeTimeout: 500 }, 3_200],
];

test.for(exact)('4.9 2.2 without chance, validate says exactly what the machine takes: %s', ([, change, found]) => {
  const config: TwoPathConfig = { ...twoPathConfig, backoffJitterFactor: 0, ...change };
  expect([foundAfter(config, 1), worst(config)]).toEqual([found, found]);
});

test('4.9 2.2 whatever the configuration and chance, the machine takes no longer than validate says, and nearly as long at worst', () => {
  let longest = 0;
  const configs = fc.record({
    probeInterval: fc.integer({ min: 500, max: 60_000 }),
    probeTimeout: fc.integer({ min: 100, max: 60_000 }),
    backoffJitterFactor: fc.double({ min: 0, max: 1, noNaN: true }),
    failureThreshold: fc.integer({ min: 1, max: 5 }),
    kcmNodeMonitorGraceDuration: fc.integer({ min: 20_000, max: 120_000 }),
  });
  fc.assert(
    fc.property(configs, fc.integer({ min: 1, max: 1_000_000 }), (change, chance) => {
      const config = { ...twoPathConfig, ...change };
      const found = foundAfter(config, chance);
      expect(found).toBeLessThanOrEqual(worst(config));
      longest = Math.max(longest, found / worst(config));
    }),
    { seed: 15, numRuns: 60 },
  );
  expect(longest).toBeGreaterThan(0.99);
});
