import type { Slip } from './slip.ts';

/** The embedded seed, on which many a test stands: few slips, of what tests rely upon most. */
export const simulatorSlips: readonly Slip[] = [
  {
    file: 'src/simulator/store/object-writes.ts',
    find: "if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== was.resourceVersion) {",
    put: 'if (false as boolean) {',
    says: 'a write on an old version is no conflict',
    tests: ['test/contract/embedded-api.test.ts'],
  },
  {
    file: 'src/simulator/store/object-writes.ts',
    find: 'if (uid !== undefined && uid !== metadata.uid) throw',
    put: 'if (false as boolean) throw',
    says: 'a deletion takes a successor of the same name',
    tests: ['test/contract/embedded-api.test.ts'],
  },
  {
    file: 'src/simulator/store/patches.ts',
    find: 'if (value === null) merged.delete(key);',
    put: 'if (value === undefined) merged.delete(key);',
    says: 'a patch never removes an annotation',
    tests: ['test/simulation/embedded-patches.test.ts'],
  },
  {
    file: 'src/simulator/api/access.ts',
    find: 'if (authorize(access)) return;',
    put: "if (authorize(access) || access.verb === 'watch') return;",
    says: 'anybody may watch anything',
    tests: ['test/simulation/embedded-levers.test.ts', 'test/contract/embedded-api.test.ts'],
  },
  {
    file: 'src/simulator/api/live-watch.ts',
    find: "if (initial === 'withBookmark') this.#sendBookmark(",
    put: "if (initial === 'withBookmark' && !this.#isHeld()) this.#sendBookmark(",
    says: 'a reader that is slower than the list never learns that it has all of it',
    tests: ['test/contract/embedded-api.test.ts'],
  },
];
