import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPatch, mergePatch } from '../store/patches.ts';
import { isObject } from '../store/kube-object.ts';

// The table of RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j merged with %j is %j', (target, patch, expected) => {
  expect(mergePatch(target, patch)).toEqual(expected);
});

const key = fc.constantFrom('a', 'b', 'a/b', 'm~n', '~1', '', '__proto__', '0');
const { json } = fc.letrec<{ json: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.boolean()),
  json: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(key, tie('json'), { maxKeys: 4 }),
  ),
}));
const object = fc.dictionary(key, json, { maxKeys: 4 });

/** The merge patch that leads from one document to another; there is always one where no null is in them. */
function mergeDifference(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  return Object.fromEntries([
    ...gone.map((name) => [name, null] as const),
    ...Object.entries(to).map(
      ([name, value]) => [name, Object.hasOwn(from, name) ? mergeDifference(from[name], value) : value] as const,
    ),
  ]);
}

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

test('a merge patch leads from any document to any other, and a second time changes nothing', () => {
  fc.assert(
    fc.property(object, object, (from, to) => {
      const patch = mergeDifference(from, to);
      const merged = mergePatch(frozen(structuredClone(from)), patch);
      expect(merged).toEqual(to);
      expect(mergePatch(merged, patch)).toEqual(to);
    }),
  );
});

const pointer = (path: readonly string[]): string =>
  path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Every place in a document, with what stands there. */
function places(document: unknown, path: readonly string[] = []): { path: readonly string[]; value: unknown }[] {
  const inner = Array.isArray(document) || isObject(document) ? Object.entries(document) : [];
  return [{ path, value: document }, ...inner.flatMap(([name, value]) => places(value, [...path, name]))];
}

test('a JSON patch finds each place, replaces only what is there, and leaves the document it was given alone', () => {
  fc.assert(
    fc.property(object, fc.nat(), json, (document, index, value) => {
      const all = places(frozen(document));
      const place = all[index % all.length]!;
      const path = pointer(place.path);
      expect(jsonPatch(document, [{ op: 'test', path, value: place.value }])).toEqual(document);
      const replaced = jsonPatch(document, [{ op: 'replace', path, value }]);
      expect(places(replaced).find((one) => pointer(one.path) === path)?.value).toEqual(value);
      expect(jsonPatch(replaced, [{ op: 'replace', path, value: place.value }])).toEqual(document);
    }),
  );
});

test('what a JSON patch adds or moves away it can take back', () => {
  fc.assert(
    fc.property(object, fc.nat(), json, (document, index, value) => {
      const holders = places(frozen(document)).filter((place) => typeof place.value === 'object');
      const holder = holders[index % holders.length]!;
      const path = pointer([...holder.path, Array.isArray(holder.value) ? '0' : 'fresh']);
      const added = jsonPatch(document, [{ op: 'add', path, value }]);
      expect(jsonPatch(added, [{ op: 'remove', path }])).toEqual(document);
      expect(jsonPatch(added, [{ op: 'move', from: path, path: '/moved' }])).toEqual({ ...document, moved: value });
      expect(
        jsonPatch(added, [
          { op: 'copy', from: path, path: '/copied' },
          { op: 'remove', path: '/copied' },
        ]),
      ).toEqual(added);
    }),
  );
});

test('a JSON patch appends to a list', () => {
  expect(
    jsonPatch({ list: [1] }, [
      { op: 'add', path: '/list/-', value: 2 },
      { op: 'add', path: '/list/0', value: 0 },
    ]),
  ).toEqual({ list: [0, 1, 2] });
});

test.each([
  ['a test that fails', [{ op: 'test', path: '/a', value: 2 }], 422],
  ['a path through nothing', [{ op: 'add', path: '/x/y', value: 1 }], 422],
  ['a removal of nothing', [{ op: 'remove', path: '/x' }], 422],
  ['a copy of nothing', [{ op: 'copy', from: '/x', path: '/y' }], 422],
  ['a place beyond a list', [{ op: 'add', path: '/list/2', value: 1 }], 422],
  ['a place in a list that is no number', [{ op: 'replace', path: '/list/01', value: 1 }], 422],
  ['an unknown operation', [{ op: 'swap', path: '/a' }], 422],
  ['a missing value', [{ op: 'add', path: '/b' }], 400],
  ['a path without a slash', [{ op: 'add', path: 'b', value: 1 }], 400],
  ['an operation that is none', ['add'], 400],
  ['no list', { op: 'add' }, 400],
])('a JSON patch with %s is refused', (_, patch, code) => {
  expect(() => jsonPatch({ a: 1, list: [1] }, patch)).toThrow(expect.objectContaining({ code }));
});
