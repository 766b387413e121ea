import { expect, test } from 'vitest';
import { shootCommandWords, shootEventWords, shootNoteWords } from '../../src/adapters/record/words/shoot-words.ts';
import type { ShootCommand, ShootEvent, ShootNote } from '../../src/machines/shoot-language.ts';
import { activeCluster } from '@dwd/testing/sim-world.ts';

const path = { type: 'path.answered', at: 0, number: 12, askedAt: 0 } as const;
const read = { type: 'cluster.answered', at: 0, number: 12 } as const;

test.each<[string, ShootEvent]>([
  ['probe 12: the internal path answered', { ...path, path: 'internal' }],
  [
    'probe 12: the external path failed, timeout: no answer in 5 s',
    { ...path, path: 'external', failure: { stage: 'external', reason: 'timeout', detail: 'no answer in 5 s' } },
  ],
  [
    'probe 12: the internal path answered, unauthorized: 403',
    { ...path, path: 'internal', failure: { stage: 'internal', reason: 'unauthorized', detail: '403' } },
  ],
  [
    'probe 12: the external path could not be asked, local: no more files',
    { ...path, path: 'external', failure: { stage: 'external', reason: 'local', detail: 'no more files' } },
  ],
  [
    'probe 12: Cluster seen: Reconcile Succeeded, 1 worker pool',
    { ...read, cluster: { outcome: 'read', reading: { readable: true, cluster: activeCluster } } },
  ],
  ['probe 12: the Cluster is gone', { ...read, cluster: { outcome: 'gone' } }],
  ['probe 12: the Cluster could not be asked for: no', { ...read, cluster: { outcome: 'failed', detail: 'no' } }],
])('4.9 9.4 an event of two paths in words: %s', (words, event) => {
  expect(shootEventWords(event)).toBe(words);
});

const verdict = { kind: 'verdict', verdict: 'cutOff', reason: 'timeout', crossedAt: 4_000 } as const;
const connected = { kind: 'verdict', verdict: 'connected' } as const;

test.each<[string, ShootNote]>([
  [
    'cut off: the external path failed 1 time of the 3 in a row that it takes (timeout), first 6.0 s ago',
    { ...verdict, external: { count: 1, of: 3 } },
  ],
  [
    'cut off: the external path failed 3 times in a row (timeout), first 6.0 s ago',
    { ...verdict, external: { count: 3, of: 3 } },
  ],
  ['cut off: the external path failed once (timeout), first 6.0 s ago', { ...verdict, external: { count: 1, of: 1 } }],
  [
    'connected: the external path answered 1 time of the 2 in a row that it takes',
    { ...connected, external: { count: 1, of: 2 } },
  ],
  ['connected: the external path answers', { ...connected, external: { count: 1_000, of: 1 } }],
  [
    'the internal path has failed 3 times in a row; nothing new is scaled, and after each failure the shoot is left alone for 30.0 s, until the path answers',
    { kind: 'internalFailed', failures: 3, leftAloneUntil: 40_000 },
  ],
  [
    'the first scale-down is commanded, 6.0 s after the external path was first found broken',
    { kind: 'decided', crossedAt: 4_000, paths: true },
  ],
  ['the first scale-down is commanded, 6.0 s after the threshold was crossed', { kind: 'decided', crossedAt: 4_000 }],
  [
    'everything is scaled down, 6.0 s after the external path was first found broken, 2.0 s before the first node could have been marked',
    { kind: 'shielded', crossedAt: 4_000, firstMarkAt: 12_000, paths: true },
  ],
  [
    'everything is seen to be scaled down, 6.0 s after the external path was first found broken, 1.0 s after the first node may have been marked',
    { kind: 'shielded', crossedAt: 4_000, firstMarkAt: 9_000, paths: true },
  ],
  [
    'everything is scaled down, 6.0 s after the threshold was crossed, 2.0 s before the first node would have been marked',
    { kind: 'shielded', crossedAt: 4_000, firstMarkAt: 12_000 },
  ],
])('4.9 9.4 a note in words: %s', (words, note) => {
  expect(shootNoteWords(note, 10_000)).toBe(words);
});

test.each<[string, ShootCommand]>([
  ['ask on the external path (12)', { type: 'askPath', params: { number: 12, path: 'external', deadlineAt: 0 } }],
  ['ask for the Cluster (12)', { type: 'readCluster', params: { number: 12, deadlineAt: 0 } }],
])('4.9 9.4 a command of two paths in words: %s', (words, command) => {
  expect(shootCommandWords(command as Exclude<ShootCommand, { type: 'note' }>, 0)).toBe(words);
});
