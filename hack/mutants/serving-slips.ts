import type { Slip } from './slip.ts';

const serving: readonly string[] = ['test/roles/serving.test.ts'];

/** What a role shows of itself, wired. */
export const servingSlips: readonly Slip[] = [
  {
    file: 'src/commands/role/observe-role.ts',
    find: "onRequestThrottled: () => metrics.onRequestThrottled('seed'),",
    put: 'onRequestThrottled: () => undefined,',
    says: 'a 429 of the seed is not counted',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: "if (seen.code === '429') metrics.onRequestThrottled('shoot');",
    put: '',
    says: 'a 429 of a shoot is not counted',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: "if (notice.kind === 'overLimit') metrics.onObjectDropped(notice.stream);",
    put: '',
    says: 'objects beyond what a watch keeps are not counted',
    tests: ['test/observers/observe-role.test.ts'],
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: "if (notice.kind === 'restarted') metrics.onWatchRestart(notice.stream);",
    put: '',
    says: 'watches that begin anew are not counted',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: 'onDropped: metrics.onJournalDropped,',
    put: 'onDropped: () => undefined,',
    says: 'turns that the journal drops are not counted',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: 'health: health.observe,',
    put: 'health: () => undefined,',
    says: '/healthz never sees a dead machine',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: 'onSeedRequest: metrics.onSeedRequest,',
    put: 'onSeedRequest: () => undefined,',
    says: 'requests to the seed are not counted',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: 'logOutage(notice);',
    put: '',
    says: 'a watch that is out is not told',
    tests: serving,
  },
  {
    file: 'src/commands/role/observe-role.ts',
    find: 'logStream(notice);',
    put: '',
    says: 'an object of the seed that is none is not told',
    tests: ['test/observers/observe-role.test.ts'],
  },
  {
    file: 'src/commands/role/open-servers.ts',
    find: 'isForUs: isOwnHost,',
    put: '',
    says: 'a web page may read the journal by DNS rebinding',
    tests: serving,
  },
  {
    file: 'src/commands/role/open-servers.ts',
    find: 'await close();\n    throw error;',
    put: 'throw error;',
    says: 'an address that was opened stays so where the next is taken',
    tests: serving,
  },
];
