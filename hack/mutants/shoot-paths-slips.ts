import type { Slip } from './slip.ts';

const shootPaths: readonly string[] = ['test/adapters/shoot-paths.test.ts'];
const untoldPaths: readonly string[] = ['test/adapters/shoot-untold-paths.test.ts'];
const twoSecrets: readonly string[] = ['test/adapters/seed-watch-two-secrets.test.ts'];

/** The two paths to a shoot’s API server, and the two Secrets that lead there. */
export const shootPathsSlips: readonly Slip[] = [
  {
    file: 'src/adapters/shoot/kube-shoot-api.ts',
    find: 'secret: secrets[path],',
    put: 'secret,',
    says: 'both paths are asked with the internal kubeconfig',
    tests: shootPaths,
  },
  {
    file: 'src/adapters/shoot/kube-shoot-api.ts',
    find: 'stage: path, mostBytes: pathProbeBytes',
    put: 'stage: path, mostBytes: leasesProbeBytes',
    says: 'a path may cost what a list of leases may',
    tests: shootPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-access.ts',
    find: 'const key = `${shoot}/${secret.name}`;',
    put: 'const key = shoot;',
    says: 'the kubeconfig of one path is kept for the other',
    tests: shootPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-failure.ts',
    find: 'if (local !== undefined) {',
    put: 'if (false as boolean) {',
    says: 'a machine without files to open takes every shoot for cut off',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-failure.ts',
    find: 'return faults.includes(undefined) ? undefined : faults[0];',
    put: 'return faults[0];',
    says: 'an address that cannot be tried from here hides that the other one is refused',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-probe.ts',
    find: 'if (clock.now() < wantedAt) throw setBack;',
    put: '',
    says: 'a probe during which our clock was set back is believed',
    tests: ['test/adapters/shoot-set-back.test.ts'],
  },
  {
    file: 'src/adapters/shoot/shoot-probe.ts',
    find: 'return deadlineAt - addressAt <= (deadlineAt - wantedAt) / 2 ? tooLate : timeIsUp;',
    put: 'return timeIsUp;',
    says: 'the time for which a question waited here counts against its path',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-probe.ts',
    find: "const find = stage === 'external' ? outsideLookup : lookup;",
    put: 'const find = lookup;',
    says: 'names outside that nobody resolves take every thread that looks names up',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-probe.ts',
    find: 'if (addressAt === undefined) return unresolved;',
    put: 'if (addressAt === undefined) return timeIsUp;',
    says: 'a seed whose resolver hangs takes every shoot for cut off',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/shoot-failure.ts',
    find: 'EAI_AGAIN: resolverIsOut,',
    put: '',
    says: 'a seed whose resolver is out takes every shoot for cut off',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/joined-lookup.ts',
    find: ' || (slowNames.has(key) && slowOnes >= limits.mostSlow)',
    put: '',
    says: 'names that hang each time keep an honest one from being looked up',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/shoot/joined-lookup.ts',
    find: 'else slowNames.delete(key);',
    put: '',
    says: 'a name that hung once has few places for ever',
    tests: untoldPaths,
  },
  {
    file: 'src/adapters/seed-watch/seed-watch.ts',
    find: 'secrets.get(secret)?.get(shoot, secret)',
    put: '[...secrets.values()][0]?.get(shoot, secret)',
    says: 'the external kubeconfig is never found',
    tests: twoSecrets,
  },
  {
    file: 'src/adapters/seed-watch/seed-watch.ts',
    find: '[...secrets.values()].every(({ listed }) => listed)',
    put: '[...secrets.values()].some(({ listed }) => listed)',
    says: 'shoots are probed before the external kubeconfigs are known',
    tests: twoSecrets,
  },
  {
    file: 'src/adapters/seed-watch/seed-watch.ts',
    find: 'for (const informer of secrets.values()) running',
    put: 'for (const informer of [...secrets.values()].slice(0, 1)) running',
    says: 'the external kubeconfigs are not watched',
    tests: twoSecrets,
  },
];
