import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ListReader } from '../../src/adapters/reading/list-reader.ts';
import { ProbeFailed } from '../../src/adapters/reading/probe-failed.ts';

const reasonOf = (error: unknown) => (error instanceof ProbeFailed ? error.failure.reason : String(error));

/** The result of the reader for bytes that come in pieces of these lengths, in turn. */
function read(
  bytes: Buffer,
  lengths: readonly number[],
  keeps?: ReadonlySet<string>,
): { items: unknown[]; next: string } | string {
  const items: unknown[] = [];
  try {
    const reader = new ListReader({ kind: 'List', take: (item) => items.push(item), keeps });
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const length = lengths[turn % lengths.length] ?? 1;
      reader.feed(bytes.subarray(at, at + length));
      at += length;
    }
    return { items, next: reader.end().next };
  } catch (error) {
    return reasonOf(error);
  }
}

// Short ones cut keys and characters; in long ones the reader looks at keys where they came.
const pieces = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 4_096 })), {
  minLength: 1,
  maxLength: 8,
});
// Texts full of what a scanner could mistake for structure.
const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '{', '}', '[', ']', ':', ',', 'items', 'ü', '😀') });
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const item = fc.dictionary(text, value, { maxKeys: 5 });

test('4.7 a list cut into any pieces is read as JSON.parse reads it whole', () => {
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 6 }),
      text,
      value,
      fc.constantFrom(undefined, 1, '\t'),
      pieces,
      (items, next, other, indent, lengths) => {
        const list = { other, metadata: { continue: next, items: [{}] }, items, kind: 'List', after: other };
        expect(read(Buffer.from(JSON.stringify(list, null, indent)), lengths)).toEqual({
          items: JSON.parse(JSON.stringify(items)) as unknown,
          next,
        });
      },
    ),
    { numRuns: 300 },
  );
});

test('4.7 what nobody reads of an item is passed over, and the rest is as JSON.parse reads it', () => {
  const members = fc.dictionary(fc.constantFrom('kept', 'also', 'other', 'a"kept'), value);
  const inner = fc.dictionary(fc.constantFrom('kept', 'also', 'other', 'a"other'), fc.oneof(value, members));
  const keeps = new Set(['kept', 'also']);
  /** With a 0 in place of each object or list that is not kept, in an item and in its members. */
  const without = (object: object, depth = 0): unknown =>
    Object.fromEntries(
      Object.entries(object).map(([key, one]: [string, unknown]) => {
        if (typeof one !== 'object' || one === null) return [key, one];
        if (!keeps.has(key.replace(/.*"/, ''))) return [key, 0];
        if (depth === 1) return [key, one];
        return [key, Array.isArray(one) ? one.map((each: unknown) => (isObject(each) ? 0 : each)) : without(one, 1)];
      }),
    );
  fc.assert(
    fc.property(
      fc.array(inner, { maxLength: 6 }),
      fc.constantFrom(undefined, 1, '\t'),
      pieces,
      (items, indent, lengths) => {
        const text = JSON.stringify({ kind: 'List', items }, null, indent);
        const plain = (JSON.parse(text) as { items: object[] }).items;
        expect(read(Buffer.from(text), lengths, keeps)).toEqual({ items: plain.map((one) => without(one)), next: '' });
      },
    ),
    { numRuns: 300 },
  );
});

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

test('4.7 what is passed over counts neither as values nor as bytes of the item', () => {
  const large = Array.from({ length: 150_000 }, () => ({}));
  const whole = (key: string) => Buffer.from(JSON.stringify({ kind: 'List', items: [{ [key]: large }] }));
  expect(read(whole('other'), [65_536], new Set(['kept']))).toEqual({ items: [{ other: 0 }], next: '' });
  expect(read(whole('kept'), [65_536], new Set(['kept']))).toBe('tooLarge');
});

test('4.7 bytes that JSON.parse refuses are garbled, whatever they are', () => {
  const whole = Buffer.from('{"kind":"List","metadata":{"continue":""},"items":[{"a":"\\"}"},{"b":[{}]}]}');
  fc.assert(
    fc.property(
      fc.nat(whole.length - 1),
      fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', ' ', 'x'),
      pieces,
      (place, byte, lengths) => {
        const odd = Buffer.from(whole);
        odd.write(byte, place, 'latin1');
        const outcome = read(odd, lengths);
        const seen = typeof outcome === 'string' ? outcome : 'read';
        expect(isJson(odd) ? ['read', 'garbled'] : ['garbled']).toContain(seen);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('4.7 single bytes are read as well as whole items', () => {
  const bytes = Buffer.from('{"items" : [ {"a":"\\\\"} , {"b":"\\u0022}"} ],"kind":"List"}');
  expect(read(bytes, [1])).toEqual({ items: [{ a: '\\' }, { b: '"}' }], next: '' });
});

test.each([
  ['an item', '{"kind":"List","items":[{"a":"', 294_912],
  ['what surrounds the items', '{"kind":"List","a":"', 131_072],
])('4.7 %s has a limit', (_, head, limit) => {
  const whole = (length: number) =>
    Buffer.from(head + 'x'.repeat(length) + (head.includes('items') ? '"}]}' : '","items":[]}'));
  expect(read(whole(limit - 100), [65_536])).toMatchObject({ next: '' });
  expect(read(whole(limit + 1), [65_536])).toBe('tooLarge');
});

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
