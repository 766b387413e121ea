import { defineConfig } from 'vitest/config';

/** The tests that run against a real etcd and kube-apiserver: `npm run test:apiserver`. */
export default defineConfig({
  test: {
    include: ['test/apiserver/**/*.test.ts'],
    globalSetup: ['test/apiserver/real-tier-setup.ts'],
    // All files share one seed with one leader's lease, and one shoot.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
