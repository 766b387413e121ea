import type { Slip } from './slip.ts';

const probes = ['test/observers/path-probes.test.ts'];
const log = ['test/observers/path-log.test.ts'];
const words = ['test/observers/path-words.test.ts'];
const episodes = ['test/observers/episodes/path-episodes.test.ts'];
const replay = ['test/observers/replay-two-paths.test.ts'];

/** What is told of a shoot that is asked through two paths. */
export const pathWordsSlips: readonly Slip[] = [
  {
    file: 'src/adapters/turns/path-probes.ts',
    find: "if (probe?.number !== number || probe.told[path] !== 'asked') return undefined;",
    put: 'if (probe === undefined) return undefined;',
    says: 'a late answer of an earlier probe is told as a failure of this one',
    tests: probes,
  },
  {
    file: 'src/adapters/turns/path-probes.ts',
    find: "if (isLost || to === 'idle'",
    put: "if (isLost || event.type === 'ended'",
    says: 'what a path answers after the shoot was paused is told as a failed probe',
    tests: probes,
  },
  {
    file: 'src/adapters/turns/path-probes.ts',
    find: " || commands.some(({ type }) => type === 'readCluster')",
    put: '',
    says: 'a verdict that waits for the Cluster is told as a failed probe',
    tests: probes,
  },
  {
    file: 'src/adapters/turns/path-probes.ts',
    find: "verdict.verdict === 'cutOff' ? probe?.failures.external : undefined",
    put: 'probe?.failures.external',
    says: 'a refusal that is an answer is told as why the path fails',
    tests: probes,
  },
  {
    file: 'src/adapters/log/shoot-turn-log.ts',
    find: 'if (isPath ? troubles.begins(shoot, `untold ${stage}`) : isFirst)',
    put: 'if (isFirst)',
    says: 'nobody is told that the external path cannot be asked, where the internal one failed before',
    tests: log,
  },
  {
    file: 'src/adapters/log/shoot-turn-log.ts',
    find: "verdict.external === undefined ? 'answers again' : 'can be judged again'",
    put: "'answers again'",
    says: 'a shoot whose Secret was missing is said to answer again',
    tests: log,
  },
  {
    file: 'src/adapters/log/shoot-sentences.ts',
    find: 'external: verdict.external,',
    put: '',
    says: 'the log does not count how often the external path failed',
    tests: log,
  },
  {
    file: 'src/adapters/words/path-words.ts',
    find: "stage === 'external'",
    put: "stage === 'version'",
    says: 'a slow API server is said not to answer on the external path',
    tests: log,
  },
  {
    file: 'src/adapters/log/shoot-roll.ts',
    find: 'paths === undefined ? seen !== null',
    put: 'paths !== null ? seen !== null',
    says: 'the roll call says of each shoot on two paths that it is not probed yet',
    tests: ['test/observers/roll-call.test.ts'],
  },
  {
    file: 'src/adapters/words/path-words.ts',
    find: 'if (count < of) {',
    put: 'if (count <= of) {',
    says: 'a path that failed often enough is told as one that has not yet',
    tests: words,
  },
  {
    file: 'src/adapters/words/shoot-words.ts',
    find: "return paths ? 'the external path was first found broken' : 'the threshold was crossed';",
    put: "return 'the threshold was crossed';",
    says: 'a threshold is told to be crossed where there are no leases',
    tests: words,
  },
  {
    file: 'src/adapters/events/shoot-occurrences.ts',
    find: 'if (paths === undefined)\n',
    put: 'if (paths !== null)\n',
    says: 'an event speaks of leases that nobody asked for',
    tests: ['test/observers/path-events.test.ts'],
  },
  {
    file: 'src/adapters/episodes/outage-episode.ts',
    find: "return external !== null && reached === 'leaseFailed' ? 'notable' : 'grave';",
    put: "return 'grave';",
    says: 'one request through the load balancer that failed is as grave as an outage',
    tests: episodes,
  },
  {
    file: 'src/adapters/episodes/shoot-outages.ts',
    find: 'if (!decides && outage.external !== null && count > of) return {};',
    put: '',
    says: 'an outage that a prober finds at its start changes with each probe, for hours',
    tests: episodes,
  },
  {
    file: 'src/adapters/episodes/failing-probes.ts',
    find: 'return leftAlone !== null || (failures > 1',
    put: 'return (failures > 1',
    says: 'nobody reads afterwards that a shoot was left alone for half a minute',
    tests: episodes,
  },
  {
    file: 'src/commands/replay/turn-interest.ts',
    find: "const isOver = told === 'untold' || (told === 'failed' && event.path === 'internal');",
    put: "const isOver = told !== 'answered';",
    says: 'a replay shows each failure of the external path twice, for as long as the outage lasts',
    tests: replay,
  },
  {
    file: 'src/commands/replay/turn-interest.ts',
    find: '${Math.min(count, of)}/${of}',
    put: '${count}/${of}',
    says: 'a replay of an outage shows each of its probes',
    tests: replay,
  },
];
