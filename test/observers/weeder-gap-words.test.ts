import { expect, test } from 'vitest';
import { stateSentence } from '../../src/adapters/record/log/weeder-turn-log.ts';
import { waitWords, weederEventWords } from '../../src/adapters/record/words/weeder-words.ts';
import type { SliceGap } from '../../src/domain/weeder/service-slices.ts';
import type { WeederTurn } from '../../src/effects/turn.ts';

const slices = { one: { ready: 1, endpoints: 2, readyHash: 7 } };

function turnAfter(gap: SliceGap): WeederTurn {
  return {
    kind: 'weeder',
    subject: 'shoot--dev--one/kube-apiserver',
    seq: 1,
    at: 100_000,
    event: { type: 'slices.changed', at: 100_000, slices, gap },
    from: 'settled',
    to: 'recovering',
    commands: [],
    notes: [{ kind: 'windowOpened', endsAt: 400_000, extended: false }],
    before: undefined,
    after: undefined,
  };
}

test('9.4 7.2 the log says why a service that was available has its window', () => {
  expect(stateSentence(turnAfter({ since: 88_000 }))).toBe(
    'kube-apiserver of shoot--dev--one is available, and may have been down while its EndpointSlices were not seen, 1 of 2 endpoints ready: crash-looping pods are deleted for 5m00s',
  );
});

test.each([
  [{ since: 88_000 }, 'EndpointSlices seen for the first time in 12.0 s: 1 of 2 endpoints ready'],
  [{ since: 88_000, rewound: true }, 'EndpointSlices seen in a restored seed: 1 of 2 endpoints ready'],
] as const)('9.7 7.2 after the gap %j a turn says: %s', (gap, words) => {
  expect(weederEventWords(turnAfter(gap).event)).toBe(words);
});

test.each([
  ['CrashLoopBackOff', ['kcm', 'proxy'], 'kcm, proxy in CrashLoopBackOff'],
  ['endedAgain', ['kcm'], 'kcm has ended again, and waits'],
  ['endedAgain', [], 'a container has ended again, and waits'],
] as const)('9.4 7.3 which containers wait, and for what: %s of %j', (because, containers, words) => {
  expect(waitWords({ because, containers })).toBe(words);
});
