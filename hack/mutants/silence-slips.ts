import type { Slip } from './slip.ts';

/** What old leases tell after a silence, or for ever (SPEC 5.1, 5.4). */
export const silenceSlips: readonly Slip[] = [
  {
    file: 'src/machines/looking-again.ts',
    find: 'grace: policy.grace, silence }',
    put: 'grace: policy.grace, silence: null }',
    says: 'what nobody could renew is held against its kubelets',
    tests: ['test/simulation/seed-return.test.ts'],
  },
  {
    file: 'src/machines/looking.ts',
    find: 'new Set(isRecent ? nonCandidates : [])',
    put: 'new Set<string>()',
    says: 'leases of nodes that are gone are looked at with each probe',
    tests: ['test/simulation/seed-cost.test.ts'],
  },
  {
    file: 'src/domain/prober/silence.ts',
    find: ' || isRenewedIn(silence, leases)',
    put: '',
    says: 'nodes that are cut off get more time where our own way was out',
    tests: ['test/domain/lease-doubt.test.ts'],
  },
  {
    file: 'src/domain/prober/lease-doubt.ts',
    find: " || (served === 'us' && harmIsDone)",
    put: " || served === 'us'",
    says: 'nodes that are cut off get more time though nobody was reached',
    tests: ['test/domain/lease-doubt.test.ts'],
  },
];
