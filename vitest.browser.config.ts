import { defineConfig } from 'vitest/config';

/** The inspector's page in a real browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['packages/inspector/test/browser/**/*.test.ts'],
    globalSetup: ['packages/inspector/test/browser/set-up.ts'],
    maxWorkers: 2,
    // A browser and the program share two cores with their neighbours.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 40_000 } },
    reporters: ['default'],
  },
});
