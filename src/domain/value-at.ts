/** What stands at a path of keys in parsed JSON or YAML, an index where there is a list; undefined where the path ends early. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Readonly<Record<string | number, unknown>>)[key];
  }
  return inner;
}

/** As `valueAt`, where it is a text; else empty. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : '';
}

/** As `valueAt`, where it is a number; Kubernetes leaves many a zero out. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** As `valueAt`, where it is a list; else empty. Go writes an empty list as null. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** An object or an array. */
export function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** An object of keys and values. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return isTree(value) && !Array.isArray(value);
}

/** Whether an object of Kubernetes has a deletionTimestamp. Any value counts: to leave something alone is the smaller mistake. */
export function isBeingDeleted(object: unknown): boolean {
  return (valueAt(object, 'metadata', 'deletionTimestamp') ?? null) !== null;
}
