import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ManagedFields } from './managed-fields.ts';

/** JSON as it came over the wire; looked into only with `asObject`. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type ObjectMeta = Readonly<{
  name: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  /** Absent for kinds that do not count their specs (Lease, Secret, Node …). */
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  /** Seconds; 0 where nothing but finalizers holds it. */
  deletionGracePeriodSeconds?: number;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
  finalizers?: readonly string[];
  /** Of what can be scaled: who was the last to write what. */
  managedFields?: readonly ManagedFields[];
}>;

/** A stored object. Never mutated: a change makes a new one, so that history and open pages may keep the old. */
export type KubeObject = Readonly<{ apiVersion: string; kind: string; metadata: ObjectMeta }> & JsonObject;

/** The value as an object, or an empty one where it is none. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A copy with `value` at a path of keys; objects are made on the way. */
export function withValueAt(object: JsonObject, path: readonly string[], value: unknown): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) return asObject(value);
  return { ...object, [key]: rest.length === 0 ? value : withValueAt(asObject(object[key]), rest, value) };
}

/** An instant as Kubernetes writes a MicroTime: with exactly six digits. */
export function microTime(at: Instant): string {
  const whole = Math.floor(at);
  const micros = Math.floor((at - whole) * 1_000);
  return `${new Date(whole).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}Z`;
}

/** An instant as Kubernetes writes a Time: in whole seconds. */
export function secondTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}
