import { defineConfig } from 'vitest/config';

/** The tests of what ships beside the program, by the programs that will read it: `npm run test:deploy`. */
export default defineConfig({
  test: {
    include: ['test/deploy/**/*.test.ts'],
    // Several of them start an API server, on two shared cores.
    maxWorkers: 2,
    // helm or kustomize may have to be built with Go first.
    testTimeout: 180_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
