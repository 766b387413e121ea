import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Lines and branches, in per cent. */
const atLeast = (share: number) => ({ lines: share, branches: share });

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those need a real control plane, or programs that are not npm packages, and have commands of their own.
    exclude: [
      ...configDefaults.exclude,
      'test/apiserver/**',
      'test/kind/**',
      'test/deploy/**',
      'test/image/**',
      'test/browser/**',
    ],
    // Two shared cores: a slow neighbour must not fail a correct test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes as soon as it can, and a second is nothing on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/known-histories.ts'],
    reporters: ['default'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: [[join(import.meta.dirname, 'hack/coverage/by-room.cts')]],
      // What decides is covered nearly as a whole; the rest has tests against a real control plane as well, which are not counted here,
      // nor is what runs in processes that tests start, as `src/main.ts` does.
      thresholds: {
        ...atLeast(80),
        'src/domain/**': atLeast(90),
        'src/machines/**': atLeast(90),
        'src/effects/**': atLeast(90),
      },
    },
    // Counting costs a test's own code too: those that bound CPU time have to know.
    env: { COVERAGE: process.argv.includes('--coverage') ? 'true' : '' },
  },
});
