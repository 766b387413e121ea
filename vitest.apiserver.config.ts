import { defineConfig } from 'vitest/config';

/** Whole stories at their real pace, on servers of their own for the most part; they take as long as all the others. */
const stories = ['machine-lifecycle', 'node-lifecycle', 'restore'].map(
  (name) => `packages/lab/test/apiserver/${name}.test.ts`,
);

/** Its files share one seed with one leader's Lease, and one shoot: one comes after the other. */
const half = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: {
    name,
    include,
    exclude,
    globalSetup: ['packages/lab/test/apiserver/real-tier-setup.ts'],
    fileParallelism: false,
  },
});

/** The tests that run against a real etcd and kube-apiserver: `npm run test:apiserver`. CI plays the halves beside each other. */
export default defineConfig({
  test: {
    projects: [half('adapters', ['packages/lab/test/apiserver/**/*.test.ts'], stories), half('stories', stories)],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default'],
  },
});
