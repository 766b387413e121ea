import type { Slip } from './slip.ts';

const seedScalerSeedScaling: readonly string[] = [
  'test/adapters/seed-scaler.test.ts',
  'test/adapters/seed-scaling.test.ts',
];

/** Reading and writing dependants and Machines on the seed. */
export const scalingSlips: readonly Slip[] = [
  {
    file: 'src/adapters/seed/scaler.ts',
    find: 'resourceVersion: seen.resourceVersion, ...',
    put: '...',
    says: 'a write is not guarded by the version that was seen',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/scaler.ts',
    find: "if (error.status === 409) return { outcome: 'conflict' };",
    put: '',
    says: 'a conflict counts as a failure',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/scaler.ts',
    find: 'observed: false,',
    put: 'observed: true,',
    says: 'the status from before a write counts',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/scaler.ts',
    find: 'cut.abort();',
    put: '',
    says: 'of two requests that read a kind, the other one hangs on where one has failed',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/scaler.ts',
    find: "asked = { method: 'GET', lane, by, withdrawn } as const;",
    put: "asked = { method: 'GET', by, withdrawn } as const;",
    says: 'urgent reads are not urgent',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/scaler.ts',
    find: "if (textAt(answer, 'metadata', 'resourceVersion') !== '') return answer;",
    put: 'if (answer !== undefined) return answer;',
    says: 'whatever is answered to a patch counts as written',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/resource-paths.ts',
    find: 'kinds.catch(() => this.#discovered.delete(root));',
    put: 'kinds.catch(() => undefined);',
    says: 'a discovery that failed is remembered for ten minutes',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/resource-paths.ts',
    find: 'this.#shorten(root);',
    put: '',
    says: 'a kind that comes later is found ten minutes later',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/cluster-api.ts',
    find: ' && /clusters\\.extensions\\.gardener\\.cloud "/.test(message)',
    put: '',
    says: 'a seed that serves no Clusters seems to have lost them all',
    tests: ['test/adapters/seed-scaling.test.ts'],
  },
  {
    file: 'src/adapters/seed/machine-api.ts',
    find: "urgent ? 'urgent' : 'healing',",
    put: "'healing',",
    says: 'the list of Machines waits behind scale-ups',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed/machine-api.ts',
    find: 'withDeadline(clock, deadlineAt, signal, list)',
    put: 'withDeadline(clock, deadlineAt, new AbortController().signal, list)',
    says: 'a list of Machines outlives its probe',
    tests: seedScalerSeedScaling,
  },
  {
    file: 'src/adapters/seed-client/seed-connection.ts',
    find: 'if (watch.heardAt < askedAt) watch.abandon();',
    put: 'watch.abandon();',
    says: 'one dead connection cuts watches that are alive',
    tests: ['test/adapters/seed-urgent.test.ts'],
  },
  {
    file: 'src/adapters/seed-client/seed-connection.ts',
    find: 'const trust = { secureContext, rejectUnauthorized, ...peer };',
    put: 'const trust = { secureContext, ...(rejectUnauthorized ? {} : { rejectUnauthorized }), ...peer };',
    says: 'an environment variable turns the verification of the seed off',
    tests: ['test/adapters/seed-kube-client.test.ts'],
  },
  {
    file: 'src/domain/prober/scale-flow.ts',
    find: ' && view.ending !== undefined',
    put: ' && view.ending === -1',
    says: 'all is said to be down while pods still end',
    tests: ['test/domain/scale-flow.test.ts'],
  },
];
