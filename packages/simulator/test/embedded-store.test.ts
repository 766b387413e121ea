import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { ObjectStore } from '../store/object-store.ts';
import { createObject, removeObject, replaceObject, type Storage } from '../store/object-writes.ts';
import { VirtualClock } from '@dwd/testing/virtual-clock.ts';

const step = fc.record({
  what: fc.constantFrom('put', 'put', 'put', 'remove', 'compact' as const),
  namespace: fc.constantFrom('a', 'a-b', 'a0'),
  name: fc.constantFrom('x', 'y', 'z'),
  value: fc.constantFrom('1', '2'),
});
const history = fc.array(step, { maxLength: 60 });

type State = ReadonlyMap<string, string>;

const newStorage = (): Storage => ({ store: new ObjectStore(), clock: new VirtualClock(), chance: seededChance(1) });

const stateOf = (revisions: readonly { key: string; json: string }[] | undefined): State | undefined =>
  revisions === undefined ? undefined : new Map(revisions.map(({ key, json }) => [key, json]));

/** Lives through a history, and remembers what was there at every resourceVersion that can still be asked for. */
function live(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) {
  const storage = newStorage();
  const collection = storage.store.of(kinds.configMap);
  const remembered = new Map<number, State>();
  const versions: number[] = [];
  const remember = () => remembered.set(storage.store.resourceVersion, stateOf(collection.list()) ?? new Map());
  remember();
  for (const { what, namespace, name, value } of steps) {
    const current = collection.get(`${namespace}/${name}`);
    if (what === 'compact') {
      storage.store.compact();
      for (const version of remembered.keys()) if (version < storage.store.resourceVersion) remembered.delete(version);
    } else if (what === 'remove') {
      if (current !== undefined) removeObject(storage, kinds.configMap, current);
    } else if (current === undefined) {
      createObject(storage, kinds.configMap, { metadata: { name }, data: { value } }, namespace);
    } else {
      replaceObject(storage, kinds.configMap, current, { ...current.object, data: { value } });
    }
    if (!remembered.has(storage.store.resourceVersion)) versions.push(storage.store.resourceVersion);
    remember();
  }
  return { storage, collection, remembered, versions };
}

test('versions only grow, one for each change', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { versions } = live(steps);
      expect(versions).toEqual(versions.map((_, index) => (versions[0] ?? 0) + index));
    }),
  );
});

test('what was there at a resourceVersion is listed as it was then, until it is compacted', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { collection, remembered, storage } = live(steps);
      for (let version = 1; version <= storage.store.resourceVersion; version += 1) {
        expect(stateOf(collection.listAt(version))).toEqual(remembered.get(version));
      }
    }),
  );
});

test('the changes since a resourceVersion lead from what was there then to what is there now', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { collection, remembered } = live(steps);
      for (const [version, state] of remembered) {
        const now = new Map(state);
        for (const { type, revision } of collection.since(version) ?? []) {
          expect(now.has(revision.key)).toBe(type !== 'ADDED');
          if (type === 'DELETED') now.delete(revision.key);
          else now.set(revision.key, revision.json);
        }
        expect(now).toEqual(stateOf(collection.list()));
      }
    }),
  );
});

test('a list is ordered by namespace and name, and a namespace is no prefix of another', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const { collection } = live(steps);
      const all = collection.list().map(({ object }) => object.metadata);
      const keys = collection.list().map(({ key }) => key);
      expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
      for (const namespace of ['a', 'a-b', 'a0', 'nowhere']) {
        const listed = collection.list(namespace).map(({ object }) => object.metadata);
        expect(listed).toEqual(all.filter((metadata) => metadata.namespace === namespace));
      }
    }),
  );
});

test('a follower of one namespace hears of it alone, and everybody hears of changes in their order, whoever writes meanwhile', () => {
  const storage = newStorage();
  const collection = storage.store.of(kinds.configMap);
  const create = (name: string, namespace: string): unknown =>
    createObject(storage, kinds.configMap, { metadata: { name } }, namespace);
  collection.onChange(({ revision }) => {
    if (revision.object.metadata.name === 'x') create('y', 'b');
  });
  const heard: Record<string, string[]> = { all: [], a: [], b: [] };
  collection.onChange(({ revision }) => heard['all']?.push(revision.key));
  const stop = collection.onChange(({ revision }) => heard['a']?.push(revision.key), 'a');
  collection.onChange(({ revision }) => heard['b']?.push(revision.key), 'b');
  create('x', 'a');
  stop();
  create('z', 'a');
  expect(heard).toEqual({ all: ['a/x', 'b/y', 'a/z'], a: ['a/x'], b: ['b/y'] });
});
