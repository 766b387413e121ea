import { defineConfig } from 'vitest/config';

/** The scenarios, on whatever provider is chosen: `npm run test:kind`. */
export default defineConfig({
  test: {
    include: ['test/kind/**/*.test.ts'],
    globalSetup: ['test/kind/set-up.ts'],
    // Scenarios wait for leases to expire, most of their time: all of them wait together.
    pool: 'threads',
    maxWorkers: 8,
    maxConcurrency: 20,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    reporters: ['default'],
  },
});
