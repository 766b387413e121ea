import type { Slip } from './slip.ts';

/** Configuration, and what the weeder judges by. */
export const weederDomainSlips: readonly Slip[] = [
  {
    file: 'src/domain/config/read-prober-config.ts',
    find: "if (first === undefined) seen.set(ref.join('/'), index);",
    put: '',
    says: 'a dependant may be configured twice',
    tests: ['test/domain/prober-config.test.ts'],
  },
  {
    file: 'src/domain/weeder/deletion.ts',
    find: 'Math.min(asked, 60_000)',
    put: 'asked',
    says: 'a Retry-After of hours keeps a pod from being deleted',
    tests: ['test/domain/deletion.test.ts'],
  },
  {
    file: 'src/domain/weeder/pod-ledger.ts',
    find: 'if (known.lost) return without(ledger, known.pod.uid);',
    put: '',
    says: 'a pod that is gone is kept for ever once its deletion was answered',
    tests: ['test/domain/pod-ledger.test.ts'],
  },
  {
    file: 'src/domain/weeder/pod-ledger.ts',
    find: 'retryAt: at + deletionBackoff(1, chance)',
    put: 'retryAt: at',
    says: 'a withdrawn deletion is asked for again in the same instant',
    tests: ['test/domain/pod-ledger.test.ts'],
  },
  {
    file: 'src/domain/weeder/pod.ts',
    find: "'containerStatuses', 'initContainerStatuses'",
    put: "'containerStatuses'",
    says: 'init containers and sidecars are not looked at',
    tests: ['test/domain/pod-reading.test.ts'],
  },
  {
    file: 'src/domain/weeder/slice-gap.ts',
    find: 'at - gap.since > shortGap',
    put: 'false',
    says: 'after a long gap, a service that looks as before is believed never to have gone',
    tests: ['test/domain/slice-gap.test.ts', 'test/model/weeder-histories.test.ts'],
  },
  {
    file: 'src/domain/weeder/slice-gap.ts',
    find: 'return joined(before).readyHash !== joined(now).readyHash;',
    put: 'return false;',
    says: 'after a short gap nobody looks at the endpoints',
    tests: ['test/domain/slice-gap.test.ts'],
  },
  {
    file: 'src/domain/weeder/service-slices.ts',
    find: "textAt(endpoint, 'targetRef', 'uid')",
    put: "''",
    says: 'another Pod at the same address is the same endpoint',
    tests: ['test/domain/slice-gap.test.ts'],
  },
  {
    file: 'src/domain/weeder/service-slices.ts',
    find: '?? true) === true',
    put: '?? false) === true',
    says: 'an endpoint that says nothing of ready is not',
    tests: ['test/domain/slice-reading.test.ts'],
  },
  {
    file: 'src/domain/weeder/service-slices.ts',
    find: '.some(',
    put: '.every(',
    says: 'a service needs a ready endpoint in each of its slices',
    tests: ['test/domain/service-readiness.test.ts'],
  },
  {
    file: 'src/domain/weeder/pod-ledger.ts',
    find: 'asked.conflicts % 2 === 1',
    put: 'false',
    says: 'a pod that has changed behind a half-open watch is tried in the same version for 90 s',
    tests: ['test/model/weeding.test.ts'],
  },
  {
    file: 'src/adapters/weeder-seed/pod-watch.ts',
    find: 'if (clock.now() - listedAt < listsApart) return false;',
    put: '',
    says: 'a namespace is listed for each pod that has changed unseen',
    tests: ['test/adapters/weeder-pod-watch.test.ts'],
  },
];
