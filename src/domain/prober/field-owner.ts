import { listAt, textAt, valueAt } from '../value-at.ts';

/** Kubernetes takes 128 characters. */
const longestManager = 128;

/** The entry of `metadata.managedFields` that owns a field: `['f:spec', 'f:replicas']`. Any value may come in; undefined where nobody is named. */
export function fieldOwner(object: unknown, ...field: readonly string[]): unknown {
  return listAt(object, 'metadata', 'managedFields').find(
    (entry) => valueAt(entry, 'fieldsV1', ...field) !== undefined,
  );
}

/** The writer's name, as its requests gave it: `kubectl`, `gardenlet`. */
export function managerOf(entry: unknown): string {
  return textAt(entry, 'manager').slice(0, longestManager);
}
