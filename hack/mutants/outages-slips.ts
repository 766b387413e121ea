import type { Slip } from './slip.ts';

/** What is told of a seed that cannot be read. */
export const outagesSlips: readonly Slip[] = [
  {
    file: 'src/adapters/reflector/reflector.ts',
    find: "if (fact.type === 'ended' && hasLasted(before, fact.at))",
    put: "if (fact.type === 'ended' && hasLasted(state, fact.at))",
    says: 'a watch that the server ends in good order is counted as a failure',
    tests: ['test/adapters/seed-watch-stream.test.ts'],
  },
  {
    file: 'src/commands/role/stream-outage-log.ts',
    find: 'repeatAt = now + repeatEvery;\n    }',
    put: '}',
    says: 'a seed that is away is told without end',
    tests: ['test/observers/stream-outage-log.test.ts'],
  },
  {
    file: 'src/commands/role/stream-outage-log.ts',
    find: 'if (of !== undefined && !refused) return since + stumbling;',
    put: '',
    says: 'each watch on pods that stumbles is told',
    tests: ['test/observers/stream-outage-log.test.ts'],
  },
  {
    file: 'src/commands/role/stream-outage-log.ts',
    find: 'dueAt(dead) <= now + gathering',
    put: 'dueAt(dead) <= now',
    says: 'streams that fail within milliseconds have two lines',
    tests: ['test/observers/stream-outage-log.test.ts'],
  },
  {
    file: 'src/commands/role/seed-streams.ts',
    find: 'const since = dead?.since ?? this.#clock.now();',
    put: 'const since = this.#clock.now();',
    says: 'a stream that was never live is out only since it failed',
    tests: ['test/observers/stream-outage-log.test.ts'],
  },
  {
    file: 'src/commands/role/lasting-trouble.ts',
    find: 'now - trouble.toldAt < repeatEvery',
    put: 'trouble.toldAt < repeatEvery',
    says: 'a trouble that lasts is told once',
    tests: ['test/observers/lasting-trouble.test.ts'],
  },
  {
    file: 'src/adapters/seed-client/certificate-words.ts',
    find: 'if (until > now) return',
    put: 'if (until < now) return',
    says: 'an expired certificate is blamed on its authority',
    tests: ['test/adapters/seed-refusal-words.test.ts'],
  },
  {
    file: 'src/adapters/credentials/refusal-words.ts',
    find: 'seconds * 1_000',
    put: 'seconds',
    says: 'every token expired in 1970',
    tests: ['test/adapters/seed-refusal-words.test.ts'],
  },
  {
    file: 'src/adapters/log/troubles.ts',
    find: "if (trouble === 'told') told -= 1;\n      if (troubles.size",
    put: 'if (troubles.size',
    says: 'after ten reads that failed once no other is told for ever',
    tests: ['test/observers/read-troubles.test.ts'],
  },
  {
    file: 'src/adapters/election/lease-client.ts',
    find: 'if (error.status === 403) onRefused(error);',
    put: '',
    says: 'a watch on the Lease that is not granted is passed over in silence',
    tests: ['test/adapters/seed-leader-election.test.ts'],
  },
];
