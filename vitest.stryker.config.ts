import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

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
    // Where files share their modules, each one tells the mutants reached by all before it as well, and 4 GB do not suffice.
    isolate: true,
    testTimeout: 180_000,
    // Walks and histories would take a minute for each mutant: one that nothing else finds wants a smaller test.
    exclude: [
      ...configDefaults.exclude,
      'test/model/{*walk,*histories*,paths*,weeder-paths,replay*,kept-scope}.test.ts',
    ],
  },
});
