import { expect, test } from 'vitest';
import { hasConsequence, nextConsequence } from '../../../src/inspector/model/timeline/timeline.ts';

type Turn = Parameters<typeof hasConsequence>[0];

const woken = {
  seq: 1,
  at: 0,
  kind: 'shoot',
  subject: 's',
  event: { type: 'woken', at: 0 },
  from: 'probing',
  to: 'probing',
  commands: [],
  notes: [],
};

test.each<[string, object, boolean]>([
  ['nothing came of it', {}, false],
  ['a probe is asked', { commands: [{ type: 'probe' }, { type: 'wake' }, { type: 'read' }] }, false],
  ['a verdict as before', { notes: [{ kind: 'verdict' }] }, false],
  ['another state', { to: 'leaseFailed' }, true],
  ['a write', { commands: [{ type: 'wake' }, { type: 'scale' }] }, true],
  ['a write that is taken back', { commands: [{ type: 'withdraw' }] }, true],
  ['a pod is deleted', { commands: [{ type: 'deletePod' }] }, true],
  ['a write is answered', { event: { type: 'scale.answered', at: 0 } }, true],
  ['something is said beside the verdict', { notes: [{ kind: 'verdict' }, { kind: 'clockDiffers' }] }, true],
  ['the machine begins', { event: { type: 'started', at: 0 }, from: undefined, to: 'idle' }, true],
  ['the machine ends', { event: { type: 'ended', at: 0, because: 'bug' } }, true],
])('9.7 %s: %o', (_, change, expected) => {
  expect(hasConsequence({ ...woken, ...change } as unknown as Turn)).toBe(expected);
});

const consequences = [true, false, true, false, false, true];
test.each<[number, 1 | -1, number | undefined]>([
  [0, 1, 2],
  [2, 1, 5],
  [3, 1, 5],
  [5, 1, undefined],
  [5, -1, 2],
  [1, -1, 0],
  [0, -1, undefined],
])('9.7 from turn %d in direction %d the next consequence is at %s', (from, direction, expected) => {
  expect(nextConsequence(consequences, from, direction)).toBe(expected);
});
