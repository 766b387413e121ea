import type { Slip } from './slip.ts';

const release: readonly string[] = ['test/process/release.test.ts'];

/** Flags, and the commands that are no role. */
export const commandsSlips: readonly Slip[] = [
  {
    file: 'src/commands/go-flags.ts',
    find: 'if (flag.required === true && !given.has(key))',
    put: 'if (false as boolean)',
    says: 'a required flag may be left out',
    tests: ['test/commands/role-flags.test.ts', 'test/commands/go-flags.test.ts'],
  },
  {
    file: 'src/commands/go-flags.ts',
    find: 'isBool && inline === undefined ? name : undefined',
    put: 'undefined',
    says: '`--force true` gives no hint of what was meant',
    tests: ['test/commands/go-flags.test.ts'],
  },
  {
    file: 'src/commands/role/role-flag-kinds.ts',
    find: ' || port > 65_535',
    put: '',
    says: 'port 70000 is accepted',
    tests: ['test/commands/role-flags.test.ts'],
  },
  {
    file: 'src/commands/role/role-flag-kinds.ts',
    find: "number.value === 1 ? 'debug' : 'trace'",
    put: "'trace'",
    says: '--zap-log-level=1 is no DEBUG',
    tests: ['test/commands/role-flags.test.ts'],
  },
  {
    file: 'src/commands/release.ts',
    find: ' && !values.force && !values.dryRun',
    put: ' && !values.force',
    says: '--dry-run is refused while a prober leads',
    tests: release,
  },
  {
    file: 'src/commands/release.ts',
    find: 'return failures === 0 ? 0 : 1;',
    put: 'return 0;',
    says: 'release says that all went well where it did not',
    tests: release,
  },
  {
    file: 'src/commands/release.ts',
    find: 'leaseDurationSeconds * 1_000 + ahead',
    put: 'leaseDurationSeconds * 1_000',
    says: 'a prober leads unseen where our clock is ahead',
    tests: ['test/commands/leading-prober.test.ts'],
  },
  {
    file: 'src/commands/release-shoot.ts',
    find: "lifecycle.kind === 'stop' ?",
    put: "lifecycle.kind !== 'start' ?",
    says: 'a shoot that is being created is not given back',
    tests: ['test/roles/releasing.test.ts'],
  },
  {
    file: 'src/commands/release-shoot.ts',
    find: 'if (excluded !== undefined) {',
    put: 'if (false as boolean) {',
    says: 'a hibernated shoot is scaled up against gardenlet',
    tests: ['test/roles/releasing.test.ts', 'test/process/release.test.ts'],
  },
  {
    file: 'src/commands/release-shoot.ts',
    find: 'a.scaleUp.level - b.scaleUp.level',
    put: 'a.scaleDown.level - b.scaleDown.level',
    says: 'release raises in the order of the way down',
    tests: release,
  },
  {
    file: 'src/commands/release-shoot.ts',
    find: 'for (const [dependant, problem] of unread) fail(dependant, problem);',
    put: '',
    says: 'what could not be read seems not to have been left down',
    tests: release,
  },
  {
    file: 'src/commands/release-shoot.ts',
    find: "if (answer.outcome === 'failed') return answer.detail;",
    put: '',
    says: 'a write that is refused is tried six times',
    tests: release,
  },
  {
    file: 'src/commands/replay.ts',
    find: 'return differences.length === 0 && damaged === 0 ? 0 : 1;',
    put: 'return 0;',
    says: 'replay ends well where turns differ',
    tests: ['test/observers/replay.test.ts'],
  },
  {
    file: 'src/commands/replay/replay-journals.ts',
    find: 'if (turn.seq <= lastSeq)',
    put: 'if (false as boolean)',
    says: 'files in the wrong order look like differences',
    tests: ['test/observers/replay.test.ts'],
  },
  {
    file: 'src/commands/replay/journal-sources.ts',
    find: 'one.openedAt - other.openedAt || ',
    put: '',
    says: 'files are read by name and not by age',
    tests: ['test/commands/journal-sources.test.ts'],
  },
  {
    file: 'src/commands/validate.ts',
    find: 'readProberConfig(written, { strict })',
    put: 'readProberConfig(written, { strict: false })',
    says: 'validate --strict passes an unknown key over',
    tests: ['test/commands/validate.test.ts'],
  },
];
