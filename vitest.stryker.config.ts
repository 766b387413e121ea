import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** A package of ours, read where this file stands. */
const here = (path: string) => join(import.meta.dirname, path, '/');

/** What judges the mutants of `npm run stryker`: the tests of what decides. */
export default defineConfig({
  // Stryker mutates a copy of the checkout, whose packages are links into the checkout itself.
  resolve: {
    alias: [
      { find: /^dependency-watchdog\//, replacement: here('src') },
      { find: /^@dwd\//, replacement: here('packages') },
    ],
  },
  test: {
    include: ['test/{domain,model}/**/*.test.ts'],
    setupFiles: ['test/support/known-histories.ts'],
    isolate: false,
    testTimeout: 180_000,
    // A mutant that only long histories find wants a smaller test.
    env: { HISTORIES: '4' },
  },
});
