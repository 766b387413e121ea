import type { Slip } from './slip.ts';

const client: readonly string[] = ['test/inspector/page/client'];
const views: readonly string[] = ['test/inspector/page/views'];
const texts: readonly string[] = ['test/inspector/page/format'];

/** The inspector's frame, what it was told, last night, and the seed. */
export const inspectorFrameSlips: readonly Slip[] = [
  {
    file: 'src/inspector/page/client/server-state.ts',
    find: 'const known = state.begun.rows ? state : nothingHeard;',
    put: 'const known = state;',
    says: 'a shoot that went while the connection was lost stays on the page',
    tests: client,
  },
  {
    file: 'src/inspector/page/client/server-state.ts',
    find: 'b.beganAt - a.beganAt',
    put: 'a.beganAt - b.beganAt',
    says: 'of too many episodes the youngest are forgotten',
    tests: client,
  },
  {
    file: 'src/inspector/page/client/connection.ts',
    find: '? { ...before, tries: before.tries + 1 }',
    put: '? { ...before, since: at, tries: before.tries + 1 }',
    says: 'a connection was lost at the last try, and not when it was lost',
    tests: client,
  },
  {
    file: 'src/inspector/page/client/server-time.ts',
    find: 'if (passed < leastMeasured) return { ...now, rate: before.rate, from: before.from };',
    put: '',
    says: 'a message that came late makes the seconds of the page long',
    tests: client,
  },
  {
    file: 'src/inspector/page/client/address.ts',
    find: 'Object.hasOwn(episodeKinds, kind)',
    put: 'kind in episodeKinds',
    says: 'an address filters by a kind that there is not',
    tests: client,
  },
  {
    file: 'src/inspector/page/client/agreement.ts',
    find: 'a.at - b.at',
    put: 'b.at - a.at',
    says: 'the last turn that differs is called the first',
    tests: client,
  },
  {
    file: 'src/inspector/page/views/seed/seed-standing.ts',
    find: "if (refused.length > 0) return 'refused';",
    put: '',
    says: 'a shoot that may not be written to is said to be connected',
    tests: views,
  },
  {
    file: 'src/inspector/page/views/seed/seed-standing.ts',
    find: "if (state === 'idle') return 'paused';",
    put: '',
    says: 'every hibernated shoot is said to be taken down by others',
    tests: views,
  },
  {
    file: 'src/inspector/page/views/seed/seed-rows.ts',
    find: 'a.rank - b.rank,',
    put: 'a.rank - b.rank || (b.since ?? 0) - (a.since ?? 0),',
    says: 'lines of the same standing change places while one reads',
    tests: views,
  },
  {
    file: 'src/inspector/page/views/night/night-episodes.ts',
    find: 'rank(a) - rank(b) || ',
    put: '',
    says: 'what goes on is lost among what is over',
    tests: views,
  },
  {
    file: 'src/inspector/page/views/night/night-episodes.ts',
    find: '.slice(mostNotable)',
    put: '.slice(0, mostNotable)',
    says: 'hundreds of hibernated shoots hide what happened',
    tests: views,
  },
  {
    file: 'src/inspector/page/views/night/night-episodes.ts',
    find: '?? `${text} UTC`',
    put: '?? text',
    says: 'a time in UTC is taken for one of the reader’s zone',
    tests: views,
  },
  {
    file: 'src/inspector/page/client/server-time.ts',
    find: 'if (behind >= 0 && behind < staleAtMost) return before;',
    put: '',
    says: 'the clock of the page goes back when a stream begins again',
    tests: client,
  },
  {
    file: 'src/inspector/page/views/night/night-episodes.ts',
    find: 'leastShare + rest * (part.length / whole)',
    put: 'part.length / whole',
    says: 'the way down cannot be seen on the bar of an outage',
    tests: views,
  },
  {
    file: 'src/inspector/page/format/texts.ts',
    find: 'const clock = new Date(at - shift);',
    put: 'const clock = new Date(at - shift + 50);',
    says: 'an instant is shown before it came',
    tests: texts,
  },
];
