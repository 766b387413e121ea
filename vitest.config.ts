import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those need a real control plane, or programs that are not npm packages, and have commands of their own.
    exclude: [...configDefaults.exclude, 'test/apiserver/**', 'test/kind/**', 'test/deploy/**', 'test/image/**'],
    // Two shared cores: a slow neighbour must not fail a correct test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes as soon as it can, and a second is nothing on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default'],
  },
});
