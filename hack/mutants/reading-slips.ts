import type { Slip } from './slip.ts';

const shootHostile: readonly string[] = ['test/adapters/shoot-hostile.test.ts'];
const shootLeftOpen: readonly string[] = ['test/adapters/shoot-left-open.test.ts'];

/** What a stranger's answers may cost. */
export const readingSlips: readonly Slip[] = [
  {
    file: 'src/adapters/reading/list-pages.ts',
    find: 'if (parsed > mostValues) throw',
    put: 'if (false as boolean) throw',
    says: 'a shoot may have us parse for seconds',
    tests: shootHostile,
  },
  {
    file: 'src/adapters/reading/list-reader.ts',
    find: 'if (values > most) throw',
    put: 'if (false as boolean) throw',
    says: 'one item may hold the loop up',
    tests: shootHostile,
  },
  {
    file: 'src/adapters/reading/list-reader.ts',
    find: 'if (key !== undefined && keeps.has(key)) return at;',
    put: 'if (key !== undefined) return at;',
    says: 'what nobody reads is parsed, and an honest large list is above its limits',
    tests: ['test/adapters/shoot-list-reader.test.ts'],
  },
  {
    file: 'src/adapters/reading/reading-share.ts',
    find: 'if (readInTurn < sliceBytes) return undefined;',
    put: 'return undefined;',
    says: 'a long list is read in one turn of the event loop',
    tests: ['test/adapters/reading-share.test.ts'],
  },
  {
    file: 'src/adapters/reading/list-pages.ts',
    find: 'if (kept > keptCharacters)',
    put: 'if (false as boolean)',
    says: 'a shoot may fill our memory with names',
    tests: shootHostile,
  },
  {
    file: 'src/adapters/reading/list-pages.ts',
    find: ' || tokens.has(token)',
    put: '',
    says: 'a list that goes in a circle is followed',
    tests: shootHostile,
  },
  {
    file: 'src/adapters/reading/list-pages.ts',
    find: 'if (items.length === mostItems) throw',
    put: 'if (false as boolean) throw',
    says: 'a shoot may have any number of leases',
    tests: shootHostile,
  },
  {
    file: 'src/adapters/reading/list-pages.ts',
    find: "error.status === 410) return 'expired'",
    put: "error.status === 409) return 'expired'",
    says: 'a list whose pages have expired fails the probe',
    tests: [
      'test/adapters/shoot-broken.test.ts',
      'test/adapters/shoot-refusals.test.ts',
      'test/adapters/shoot-healthy.test.ts',
    ],
  },
  {
    file: 'src/adapters/reading/list-reader.ts',
    find: ' || items.length !== this.#taken',
    put: '',
    says: 'items that are no objects are not missed',
    tests: shootLeftOpen,
  },
  {
    file: 'src/adapters/reading/list-reader.ts',
    find: 'this.#escaped = at > length;',
    put: 'this.#escaped = false;',
    says: 'a backslash at the end of a chunk garbles the list',
    tests: ['test/adapters/shoot-list-reader.test.ts'],
  },
  {
    file: 'src/adapters/reading/turnstile.ts',
    find: 'left -= 1;',
    put: '',
    says: 'all shoots are asked in one turn of the event loop',
    tests: ['test/adapters/shoot-turnstile.test.ts'],
  },
];
