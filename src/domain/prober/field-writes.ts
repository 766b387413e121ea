import { readInstant, type Instant } from '../time.ts';
import { textAt, valueAt } from '../value-at.ts';
import { markAnnotation } from './resource-view.ts';

/** Who wrote something last, as the seed remembers it; `at` is absent where it does not say when. */
export type FieldWrite = Readonly<{ by: string; at?: Instant }>;

/** The writers that `metadata.managedFields` names for what matters here; each is absent where nobody is named. */
export type FieldWrites = Readonly<{ mark?: FieldWrite; replicas?: FieldWrite }>;

/** Kubernetes takes 128 characters. */
const longestManager = 128;

/**
 * Reads who set the mark and the replicas of a scalable object, and when (SPEC 9.8). Any value may come in. The seed keeps one instant
 * for all that a writer owns. The watchdog owns nothing but what it writes at once, so its instant is that of its last write; of anybody
 * else it is known who it was. Whoever scales to 0 by the scale subresource, as `kubectl scale` does, is not remembered at all.
 */
export function readFieldWrites(object: unknown): FieldWrites {
  const entries = valueAt(object, 'metadata', 'managedFields');
  if (!Array.isArray(entries)) return {};
  const mark = entries.find((entry) => owns(entry, 'f:metadata', 'f:annotations', `f:${markAnnotation}`));
  const replicas = entries.find((entry) => owns(entry, 'f:spec', 'f:replicas'));
  return {
    ...(mark === undefined ? {} : { mark: writeOf(mark) }),
    ...(replicas === undefined ? {} : { replicas: writeOf(replicas) }),
  };
}

/** Whether it was the watchdog, this one or Gardener's Go program, by the name that its requests give. */
export function isWatchdog({ by }: FieldWrite): boolean {
  return by.startsWith('dependency-watchdog');
}

function owns(entry: unknown, ...path: readonly string[]): boolean {
  return valueAt(entry, 'fieldsV1', ...path) !== undefined;
}

function writeOf(entry: unknown): FieldWrite {
  const by = textAt(entry, 'manager').slice(0, longestManager);
  const at = isWatchdog({ by }) ? readInstant(valueAt(entry, 'time')) : undefined;
  return { by, ...(at === undefined ? {} : { at }) };
}
