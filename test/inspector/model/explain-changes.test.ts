import { expect, test } from 'vitest';
import { contextChanges } from '../../../src/inspector/model/explanation/context-changes.ts';

const at = 1_790_000_000_000;

/** `path: before → after`, an instant with an @ before it. */
function told(before: unknown, after: unknown): readonly string[] {
  const { changes, leftOut } = contextChanges(before, after);
  const words = ({ text, at: instant }: (typeof changes)[number]['after']) =>
    instant === undefined ? text : `@${instant}${text}`;
  return [
    ...changes.map(({ path, ...one }) => `${path}: ${words(one.before)} → ${words(one.after)}`),
    ...(leftOut === 0 ? [] : [`and ${leftOut} more`]),
  ];
}

test.each<readonly [string, unknown, unknown, readonly string[]]>([
  ['what is the same', { a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1 }, []],
  ['a number', { a: { b: 1 } }, { a: { b: 2 } }, ['a.b: 1 → 2']],
  ['a truth', { live: false }, { live: true }, ['live: no → yes']],
  ['a text', { streak: { of: 'connected' } }, { streak: { of: 'cutOff' } }, ['streak.of: connected → cutOff']],
  ['an instant', { nextAt: at }, { nextAt: at + 1 }, [`nextAt: @${at} → @${at + 1}`]],
  ['an instant by another name', { heldUntil: null }, { heldUntil: at }, [`heldUntil: nothing → @${at}`]],
  ['an instant that never was', { filledAt: 0 }, { filledAt: at }, [`filledAt: never → @${at}`]],
  ['a length of time', { clockAhead: 0 }, { clockAhead: 4_250 }, ['clockAhead: 0.0 s → 4.3 s']],
  ['a count whose name is like an instant’s', { format: 1 }, { format: 2 }, ['format: 1 → 2']],
  [
    'what comes',
    { flow: null },
    { flow: { aim: 'down', level: 0 } },
    ['flow.aim: nothing → down', 'flow.level: nothing → 0'],
  ],
  ['what goes', { outage: { crossedAt: at } }, {}, [`outage.crossedAt: @${at} → nothing`]],
  ['null for what was not there', {}, { refusal: null, a: 1 }, ['a: nothing → 1']],
  [
    'a dependant',
    { known: { 'apps/v1/Deployment/kcm': { writing: null } } },
    { known: { 'apps/v1/Deployment/kcm': { writing: 4 } } },
    ['known.kcm.writing: nothing → 4'],
  ],
  ['a list of names', { missing: [] }, { missing: ['apps/v1/Deployment/kcm', 'b'] }, ['missing: none → kcm, b']],
  [
    'a lease, wherever it stands in its list',
    {
      leases: [
        { node: 'a', renewedAt: at },
        { node: 'b', renewedAt: at },
      ],
    },
    {
      leases: [
        { node: 'b', renewedAt: at + 5 },
        { node: 'a', renewedAt: at },
      ],
    },
    [`leases[b].renewedAt: @${at} → @${at + 5}`],
  ],
  [
    'the first of a list',
    { pods: [] },
    { pods: [{ pod: { name: 'kcm-1', uid: 'u' }, crashLooping: true }] },
    [
      'pods[kcm-1].pod.name: nothing → kcm-1',
      'pods[kcm-1].pod.uid: nothing → u',
      'pods[kcm-1].crashLooping: nothing → yes',
    ],
  ],
  [
    'one of two that share a name',
    { pods: [{ name: 'kcm', uid: 'a', n: 1 }] },
    {
      pods: [
        { name: 'kcm', uid: 'a', n: 1 },
        { name: 'kcm', uid: 'b', n: 2 },
      ],
    },
    ['pods[kcm, 1].name: nothing → kcm', 'pods[kcm, 1].uid: nothing → b', 'pods[kcm, 1].n: nothing → 2'],
  ],
  ['a tree that becomes a value', { a: { b: 1 } }, { a: 2 }, ['a: {"b":1} → 2']],
  ['a field that is markup', {}, { '<b>': '<i>' }, ['<b>: nothing → <i>']],
])('9.7 %s is told', (_, before, after, lines) => {
  expect(told(before, after)).toEqual(lines);
});

const leases = (count: number, renewedAt: number) =>
  Array.from({ length: count }, (_, index) => ({ node: `node-${index}`, renewedAt }));

test('9.7 of a long list the first ten are told, and the others counted', () => {
  const lines = told({ seen: { leases: leases(1_000, at) }, n: 1 }, { seen: { leases: leases(1_000, at + 1) }, n: 2 });
  expect(lines).toHaveLength(12);
  expect(lines.slice(-2)).toEqual(['n: 1 → 2', 'and 990 more']);
});

const fields = (value: number) => Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`f${index}`, value]));

test('9.7 beyond two hundred changes the others are counted', () => {
  const lines = told(fields(1), fields(2));
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe('and 50 more');
});

test('9.7 a long text, name or list is cut', () => {
  const [line = ''] = told({ record: '' }, { record: 'x'.repeat(5_000) });
  expect(line).toHaveLength('record:  → '.length + 201);
  expect(told({}, { ['y'.repeat(5_000)]: 1 })[0]).toHaveLength(201 + ': nothing → 1'.length);
  const names = Array.from({ length: 30 }, (_, index) => `n${index}`);
  expect(told({ names: [] }, { names })).toEqual(['names: none → n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 20 more']);
});
