import type { Slip } from './slip.ts';

const read: readonly string[] = ['test/domain/two-path-config.test.ts'];
const wayDown: readonly string[] = ['test/model/way-down.test.ts'];

/** The older generation's configuration: which names go together, its defaults, and how late it lets an outage be found. */
export const twoPathConfigSlips: readonly Slip[] = [
  {
    file: 'src/domain/config/generation.ts',
    find: "? 'twoPaths' : 'leases'",
    put: "? 'leases' : 'leases'",
    says: 'two paths get the defaults of leases',
    tests: read,
  },
  {
    file: 'src/domain/config/generation.ts',
    find: 'if (isIn(written, newerName)) {',
    put: 'if (isIn(written, newerName) && older.length === 0) {',
    says: 'both generations at once are taken for two paths',
    tests: read,
  },
  {
    file: 'src/domain/config/generation.ts',
    find: 'return missing.map(',
    put: 'return missing.slice(1).map(',
    says: 'one of the two names alone is refused without a word',
    tests: read,
  },
  {
    file: 'src/domain/config/generation.ts',
    find: 'twoPaths: { nodeLeaseFailureFraction:',
    put: 'twoPaths: { none:',
    says: 'nobody hears that a fraction of leases has no effect with two paths',
    tests: read,
  },
  {
    file: 'src/domain/config/read-prober-config.ts',
    find: '.filter(({ path }) => !explained.has(writePath(path)))',
    put: '',
    says: 'a missing name is told twice under --strict',
    tests: read,
  },
  {
    file: 'src/domain/config/written-prober-config.ts',
    find: 'const failuresOnAPath = 3;',
    put: 'const failuresOnAPath = 1;',
    says: 'one lost packet on the external path takes a shoot down',
    tests: read,
  },
  {
    file: 'src/domain/config/written-prober-config.ts',
    find: 'properties: { kubeConfigSecretName: false },',
    put: '',
    says: 'editors and Helm take both generations at once',
    tests: ['test/commands/config-schema.test.ts'],
  },
  {
    file: 'src/domain/config/written-prober-config.ts',
    find: "required: ['internalKubeConfigSecretName', 'externalKubeConfigSecretName'],",
    put: '',
    says: 'editors and Helm take one of the two names alone',
    tests: ['test/commands/config-schema.test.ts'],
  },
  {
    file: 'src/domain/config/way-down.ts',
    find: 'Math.max(patience, pauseWhileCounting(probeInterval))',
    put: 'pauseWhileCounting(probeInterval)',
    says: 'validate passes over the time that a question waits in vain',
    tests: wayDown,
  },
  {
    file: 'src/domain/config/way-down.ts',
    find: 'between + patience,',
    put: 'between,',
    says: 'validate passes over the time of the last question',
    tests: wayDown,
  },
  {
    file: 'src/domain/config/way-down.ts',
    find: 'if (level < own.level) waiting +=',
    put: 'if (level > own.level) waiting +=',
    says: "the delays before the kube-controller-manager's level do not count",
    tests: [...read, 'test/domain/prober-config.test.ts'],
  },
  {
    file: 'src/domain/config/prober-warnings.ts',
    find: 'if (hasTwoPaths(config) || threshold >= twoRenewals)',
    put: 'if (threshold >= twoRenewals)',
    says: 'two paths are warned of a threshold of leases that nobody judges',
    tests: read,
  },
  {
    file: 'src/domain/config/prober-warnings.ts',
    find: 'config.internalKubeConfigSecretName !== config.externalKubeConfigSecretName',
    put: "config.internalKubeConfigSecretName !== ''",
    says: 'nobody hears that one Secret for both paths protects nothing',
    tests: read,
  },
  {
    file: 'src/adapters/http/health.ts',
    find: 'heldBack, leftAlone)',
    put: 'heldBack)',
    says: 'a shoot that is left alone for long makes the process sick',
    tests: ['test/observers/http.test.ts'],
  },
  {
    file: 'src/commands/role/logged-config.ts',
    find: "  'internalProbeFailureBackOffDuration',\n",
    put: '',
    says: 'the log shows the pause of a shoot that is left alone without its unit',
    tests: ['test/commands/logged-config.test.ts'],
  },
];
