import { defineConfig } from 'vitest/config';

/** The image as pods of a real node: `npm run test:node`. */
export default defineConfig({
  test: {
    include: ['packages/lab/test/node/**/*.test.ts'],
    globalSetup: ['packages/lab/test/node/set-up.ts'],
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
