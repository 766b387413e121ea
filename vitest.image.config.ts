import { defineConfig } from 'vitest/config';

/** The image, in containers as gardenlet starts them: `npm run test:image`. */
export default defineConfig({
  test: {
    include: ['packages/lab/test/image/**/*.test.ts'],
    globalSetup: ['packages/lab/test/image/set-up.ts'],
    // One waits for leases to expire while the other works.
    maxWorkers: 3,
    // Each begins with API servers, and goes on with an outage at its real pace.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
