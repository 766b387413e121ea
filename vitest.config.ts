import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/** Lines and branches, in per cent. */
const atLeast = (share: number) => ({ lines: share, branches: share });

/** The walk over all states, and one whole story of each role and generation: `npm test` plays them as well. */
const stories = [
  'test/model/walk.test.ts',
  ...['seed-outage', 'seed-two-paths', 'weeder-chain'].map((name) => `test/simulation/${name}.test.ts`),
];

const slips = 'packages/lab/test/mutants.test.ts';

/**
 * A tier, by its name: `npx vitest run --project soak` plays one alone. Its files share their modules, since to import them again for each
 * file costs a fifth of the time. So nothing may be left behind at the level of a module.
 */
const tier = (name: string, include: string[], exclude: string[] = []) => ({
  extends: true as const,
  test: { name, include, exclude: [...configDefaults.exclude, ...exclude], isolate: false },
});

export default defineConfig({
  test: {
    // Those against a real control plane, or by programs that are not npm packages, have configurations of their own.
    projects: [
      // With the slips, which are bound to its lines.
      tier('unit-watchdog', ['test/{adapters,commands,domain,model,observers,roles}/**/*.test.ts', slips], stories),
      tier('unit-checkout', ['test/*.test.ts', 'test/{hack,providers}/**/*.test.ts']),
      tier('unit-inspector', ['packages/inspector/test/{commands,episodes,model,page,replay,serve}/**/*.test.ts']),
      tier('unit-simulator', ['packages/simulator/{contract,test}/**/*.test.ts']),
      tier('unit-lab', ['packages/lab/test/*.test.ts'], [slips]),
      tier('stories', stories),
      tier('simulation', ['test/simulation/*.test.ts'], stories),
      tier('soak', ['packages/lab/soak/**/*.test.ts'], ['packages/lab/soak/crash-points/**']),
      tier('crash-points', ['packages/lab/soak/crash-points/**/*.test.ts']),
      tier('process', ['test/process/**/*.test.ts'], ['test/process/first-night/**']),
      tier('first-night', ['test/process/first-night/**/*.test.ts']),
    ],
    // All cores: many of the tests wait, and vitest would leave one out.
    maxWorkers: '100%',
    // Two shared cores: a slow neighbour must not fail a correct test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for comes as soon as it can, and a second is nothing on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ['test/support/known-histories.ts'],
    reporters: ['default'],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'packages/{inspector,simulator}/**/*.ts'],
      exclude: ['packages/**/{test,contract}/**'],
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
