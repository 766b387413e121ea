import type { Slip } from './slip.ts';

const weeding: readonly string[] = ['test/model/weeding.test.ts'];

/** When the weeder decides what. */
export const weederMachineSlips: readonly Slip[] = [
  {
    file: 'src/machines/weeding.ts',
    find: 'if (window === null || event.at >= window.endsAt)',
    put: 'if (window === null)',
    says: 'a pod is deleted at the very end of its window',
    tests: ['test/model/weeding.test.ts', 'test/model/weeder-table.test.ts'],
  },
  {
    file: 'src/machines/weeding.ts',
    find: '...holdBack(context).commands,',
    put: '',
    says: 'deletions stay in the queue after the window',
    tests: weeding,
  },
  {
    file: 'src/machines/weeding.ts',
    find: 'const free = mostDeletions - askedNumbers(pods).length;',
    put: 'const free = mostDeletions;',
    says: 'ten more deletions are begun with each turn',
    tests: weeding,
  },
  {
    file: 'src/machines/weeding.ts',
    find: 'if (event.number !== window?.number)',
    put: 'if (window === null)',
    says: 'news of an earlier window’s watch count',
    tests: weeding,
  },
  {
    file: 'src/machines/weeder.ts',
    find: "target: 'recovering', actions: ['recordSlices', 'openWindow', 'weed']",
    put: "target: 'recovering', actions: ['recordSlices', 'openWindow']",
    says: 'what crash-looped while its service was down again is left alone',
    tests: ['test/model/weeder-table.test.ts', 'test/model/weeding.test.ts'],
  },
  {
    file: 'src/machines/weeder.ts',
    find: "{ guard: 'mayHaveFailed', target: 'recovering', actions: ['recordSlices', 'openWindow'] },",
    put: '',
    says: 'a service that was down while nobody looked gets no window',
    tests: ['test/model/weeder-table.test.ts', 'test/model/weeder-histories.test.ts'],
  },
  {
    file: 'src/machines/weeder.ts',
    find: "{ guard: 'mayHaveFailed', actions: ['recordSlices', 'openWindow', 'weed'] },",
    put: '',
    says: 'a service that was down while nobody looked, within its window, does not begin its time anew',
    tests: ['test/model/weeder-table.test.ts'],
  },
  {
    file: 'src/machines/weeder.ts',
    find: "['recordSlices', 'holdBack']",
    put: "['recordSlices']",
    says: 'deletions go on while the service is down',
    tests: ['test/model/weeder-table.test.ts', 'test/model/weeding.test.ts'],
  },
];
