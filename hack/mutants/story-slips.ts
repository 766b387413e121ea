import type { Slip } from './slip.ts';

const keep: readonly string[] = ['test/commands/simulate-keep.test.ts'];
const screen: readonly string[] = ['test/commands/simulate-screen.test.ts'];
const summary: readonly string[] = ['test/commands/simulate-summary.test.ts'];
const story: readonly string[] = ['test/commands/simulate.test.ts'];
const network = 'src/commands/simulate/network-outage';

/** The stories of `simulate`. */
export const storySlips: readonly Slip[] = [
  {
    file: 'src/commands/simulate/story/simulated-role.ts',
    find: '    tap(() => health.ready()),\n',
    put: '',
    says: 'a simulated role is never ready',
    tests: story,
  },
  {
    file: 'src/commands/simulate/story/simulated-role.ts',
    find: '  metrics.onLeader(true);\n',
    put: '',
    says: 'a simulated role seems to lead nothing',
    tests: story,
  },
  {
    file: 'src/commands/simulate/story/places.ts',
    find: '{ mode: 0o600 }',
    put: '{}',
    says: 'anybody may read the way to the seed',
    tests: story,
  },
  {
    file: 'src/commands/simulate/story/orders.ts',
    find: 'keep && !json && terminal !== undefined && keys$ !== undefined',
    put: 'keep && !json && keys$ !== undefined',
    says: 'the terminal of a reader of a pipe is taken over',
    tests: keep,
  },
  {
    file: 'src/commands/simulate/story/orders.ts',
    find: '      stream.pause();\n      stream.setRawMode(false);\n',
    put: '      stream.pause();\n',
    says: 'the terminal stays without Ctrl-C after the end',
    tests: keep,
  },
  {
    file: 'src/commands/terminal/terminal.ts',
    find: "  if (NO_COLOR !== '') return false;\n",
    put: '',
    says: 'NO_COLOR is ignored',
    tests: keep,
  },
  {
    file: 'src/commands/simulate/story/play-story.ts',
    find: "      if (model.phase !== 'over') return 'No other outage begins yet: this one is not over.';\n",
    put: '',
    says: 'an outage begins within another one',
    tests: story,
  },
  {
    file: 'src/commands/simulate/story/story-model.ts',
    find: '{ ...row, ...kept(before) }',
    put: '{ ...before, ...kept(before) }',
    says: 'another outage is summed up with the figures of the last one',
    tests: summary,
  },
  {
    file: `${network}/network-summary.ts`,
    find: 'isUnharmed && (downAt !== null || wasBrief)',
    put: 'isUnharmed && downAt !== null',
    says: 'an outage that is healed at once counts as a failure',
    tests: summary,
  },
  {
    file: `${network}/lease-bar.ts`,
    find: 'age < limit ? 0 : Math.min(beyond, 1 +',
    put: 'age < limit ? 0 : Math.min(beyond,',
    says: 'the bar does not show that a lease has expired',
    tests: screen,
  },
  {
    file: `${network}/lease-bar.ts`,
    find: 'Math.min(before, Math.floor((before * age) / limit))',
    put: 'Math.min(before, Math.floor((before * age) / grace))',
    says: 'the bar reaches the threshold too late',
    tests: screen,
  },
];
