import type { KeyPath } from './config-remark.ts';

/** What stands at a place of a written configuration; undefined where nothing does. */
export function standingAt(written: unknown, path: KeyPath): unknown {
  let value = written;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[step];
  }
  return value;
}
