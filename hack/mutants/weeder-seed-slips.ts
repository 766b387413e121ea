import type { Slip } from './slip.ts';

const weederPodRemover: readonly string[] = ['test/adapters/weeder-pod-remover.test.ts'];
const weederOncePerIncarnation: readonly string[] = ['test/adapters/weeder-once-per-incarnation.test.ts'];
const weederPodWatch: readonly string[] = ['test/adapters/weeder-pod-watch.test.ts'];
const weederServiceWatch: readonly string[] = ['test/adapters/weeder-service-watch.test.ts'];

/** What the weeder sees and deletes on the seed. */
export const weederSeedSlips: readonly Slip[] = [
  {
    file: 'src/adapters/weeder-seed/pod-remover.ts',
    find: 'preconditions: { uid }',
    put: 'preconditions: {}',
    says: 'a successor of the same name is deleted',
    tests: weederPodRemover,
  },
  {
    file: 'src/adapters/weeder-seed/pod-remover.ts',
    find: "lane: 'urgent',",
    put: '',
    says: 'deletions wait behind everything else',
    tests: weederPodRemover,
  },
  {
    file: 'src/adapters/weeder-seed/pod-remover.ts',
    find: 'timeout: patience,',
    put: '',
    says: 'a deletion is given up as its webhook is done',
    tests: weederPodRemover,
  },
  {
    file: 'src/adapters/weeder-seed/pod-remover.ts',
    find: "status === 404 && reason === 'NotFound'",
    put: 'status === 404',
    says: 'a proxy’s 404 counts as a pod that is gone',
    tests: weederPodRemover,
  },
  {
    file: 'src/adapters/weeder-seed/once-per-incarnation.ts',
    find: "if (answer.outcome === 'deleted' && history.timesBack === askedAt) deleted.add(pod.uid);",
    put: '',
    says: 'a pod of two services is deleted twice',
    tests: weederOncePerIncarnation,
  },
  {
    file: 'src/adapters/weeder-seed/once-per-incarnation.ts',
    find: 'if (timesBack !== history.timesBack) deleted.clear();',
    put: '',
    says: 'on a restored seed a pod that is there again is never deleted',
    tests: weederOncePerIncarnation,
  },
  {
    file: 'src/adapters/weeder-seed/once-per-incarnation.ts',
    find: 'if (deleted.size > limit && oldest !== undefined) deleted.delete(oldest);',
    put: '',
    says: 'each pod that was ever deleted is remembered',
    tests: weederOncePerIncarnation,
  },
  {
    file: 'src/adapters/weeder-seed/once-per-incarnation.ts',
    find: "if (withdrawn.aborted) return { outcome: 'withdrawn' };",
    put: '',
    says: 'who was withdrawn while another’s deletion was under way tries himself',
    tests: weederOncePerIncarnation,
  },
  {
    file: 'src/adapters/weeder-seed/pod-watch.ts',
    find: "lane: 'urgent',",
    put: '',
    says: 'a namespace waits for the lists of 250 others',
    tests: weederPodWatch,
  },
  {
    file: 'src/adapters/weeder-seed/pod-watch.ts',
    find: '[...new Set(selectors)]',
    put: '[...selectors]',
    says: 'a selector that stands twice is watched twice',
    tests: weederPodWatch,
  },
  {
    file: 'src/adapters/weeder-seed/pod-sightings.ts',
    find: '!isOlder(best.resourceVersion, one.resourceVersion) ? best : one',
    put: '!isOlder(best.resourceVersion, one.resourceVersion) ? one : best',
    says: 'of two streams the one that lags is believed',
    tests: weederPodWatch,
  },
  {
    file: 'src/adapters/weeder-seed/pod-sightings.ts',
    find: 'if (this.#gone.size > mostGone && oldest !== undefined) this.#gone.delete(oldest);',
    put: '',
    says: 'each pod that was ever seen is remembered',
    tests: ['test/adapters/weeder-pod-sightings.test.ts'],
  },
  {
    file: 'src/adapters/weeder-seed/service-slices.ts',
    find: 'if (isDeepStrictEqual(slices, before)) return undefined;',
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
    file: 'src/adapters/weeder-seed/service-watch.ts',
    find: ' && names.has(reading.service)',
    put: '',
    says: 'a service that is not configured is weeded',
    tests: weederServiceWatch,
  },
  {
    file: 'src/adapters/reflector/informer.ts',
    find: 'this.#apply(item);',
    put: 'queueMicrotask(() => this.#apply(item));',
    says: 'an informer tells of an item before it has applied it',
    tests: ['test/adapters/seed-watch-second-order.test.ts'],
  },
  {
    file: 'src/adapters/reflector/informer.ts',
    find: 'finalize(() => this.#forget())',
    put: 'finalize(() => undefined)',
    says: 'an informer that nobody listens to any more remembers what it held',
    tests: ['test/adapters/seed-watch-second-order.test.ts'],
  },
];
