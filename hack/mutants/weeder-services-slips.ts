import type { Slip } from './slip.ts';

const weederServiceWatch: readonly string[] = ['test/adapters/weeder-service-watch.test.ts'];
const weederHeldWhileBlind: readonly string[] = ['test/adapters/weeder-held-while-blind.test.ts'];
const weederOlderGrants: readonly string[] = ['test/adapters/weeder-older-grants.test.ts'];

/** How the weeder follows services, and what it does while it does not. */
export const weederServicesSlips: readonly Slip[] = [
  {
    file: 'src/adapters/weeder-seed/held-while-blind.ts',
    find: 'if (!withdrawn.aborted) await',
    put: 'if (withdrawn.aborted) await',
    says: 'deletions go on while the services are not followed',
    tests: weederHeldWhileBlind,
  },
  {
    file: 'src/adapters/weeder-seed/service-watch.ts',
    find: 'live.next(source.live);',
    put: 'live.next(true);',
    says: 'services seem to be followed while their stream is out',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/granted-source.ts',
    find: '          stop(otherThan(source));\n          return tellTrust(source);',
    put: '          return stop(otherThan(source));',
    says: 'deletions wait for ever once the stream of services was out',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-slices.ts',
    find: 'if (!always && isDeepStrictEqual(slices, before)) return undefined;',
    put: '',
    says: 'each write on a slice is an event',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-slices.ts',
    find: 'this.#remove(object, drafts);',
    put: '',
    says: 'a slice whose label names another service counts for both',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-kinds.ts',
    find: ' && names.has(reading.service)',
    put: '',
    says: 'a service that is not configured is weeded',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-source.ts',
    find: "if (item.type !== 'out' && item.type !== 'live') stream.heardAt",
    put: "if (item.type !== 'out' || stream.heardAt !== undefined) stream.heardAt",
    says: 'a gap begins when the watch is found to be broken, and not when it last spoke',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-source.ts',
    find: "item.type !== 'listed' || heardAt === undefined",
    put: 'heardAt === undefined',
    says: 'each line of a watch ends a gap',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-slices.ts',
    find: 'this.#record(service, draft, isListed)',
    put: 'this.#record(service, draft, false)',
    says: 'a service that was down and is as it was, after a gap, is not told',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/service-slices.ts',
    find: 'if (isListed && item.rewound) for',
    put: 'if (false) for',
    says: 'in a restored seed an old version proves that nothing happened',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/weeder-seed/granted-source.ts',
    find: 'else askLater();',
    put: '',
    says: 'a seed that refuses EndpointSlices for more than an hour is never asked for them again',
    tests: weederOlderGrants,
  },
  {
    file: 'src/adapters/weeder-seed/granted-source.ts',
    find: 'if (other === followed && other.live) return stop(source);',
    put: '',
    says: 'EndpointSlices that are refused are asked for every half minute while Endpoints are watched',
    tests: weederOlderGrants,
  },
  {
    file: 'src/adapters/weeder-seed/granted-source.ts',
    find: 'gap: since === undefined ? undefined : { since }',
    put: 'gap: undefined',
    says: 'what happened while neither kind was watched is no gap',
    tests: weederOlderGrants,
  },
  {
    file: 'src/adapters/weeder-seed/granted-source.ts',
    find: '          stop(otherThan(source));\n          return tellTrust(source);',
    put: '          return tellTrust(source);',
    says: 'after a refusal that was over at once both kinds are watched for ever',
    tests: weederOlderGrants,
  },
  {
    file: 'src/adapters/weeder-seed/service-source.ts',
    find: 'return this.live ? this.#clock.now() : Math.min',
    put: 'return Math.min',
    says: 'a change of the kind opens a window for every service, though nothing was missed',
    tests: weederOlderGrants,
  },
  {
    file: 'src/domain/weeder/service-slices.ts',
    find: "const all = ready.union(placesIn(subsets, 'notReadyAddresses'));",
    put: 'const all = ready;',
    says: 'of Endpoints the addresses that are not ready are no endpoints',
    tests: ['test/domain/endpoints-reading.test.ts'],
  },
];
