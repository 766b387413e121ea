import { isDeepStrictEqual } from 'node:util';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { ResourceKind } from './resource-kind.ts';
import { asObject, isObject, secondTime, type JsonObject, type KubeObject } from './kube-object.ts';

/** Who writes, as its request gives its name, and through which subresource; empty: the object itself. */
export type FieldManager = Readonly<{ name: string; subresource: string }>;

/** An entry of `metadata.managedFields`: what a manager was the last to change. */
export type ManagedFields = Readonly<{
  manager: string;
  operation: 'Update';
  apiVersion: string;
  time: string;
  fieldsType: 'FieldsV1';
  fieldsV1: JsonObject;
  subresource?: string;
}>;

/** A kubectl gives its name with each request; other clients have only that of their program. */
export function managerName(asked: string | null, userAgent: string | undefined): string {
  return asked ?? (userAgent?.split('/', 1)[0] || 'unknown');
}

/** The object with who wrote it: of what can be scaled, since nobody asks who wrote anything else. What comes from within is by nobody. */
export function withOwners(
  now: Instant,
  { scale }: ResourceKind,
  before: KubeObject | undefined,
  object: KubeObject,
  by: FieldManager | undefined,
): KubeObject {
  if (by === undefined || scale === undefined) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: ownersAfter(before, object, by, now) } };
}

/** Who owns which field after this write. Real servers look into lists as well: here a list is one field. */
function ownersAfter(
  before: KubeObject | undefined,
  after: KubeObject,
  { name: manager, subresource }: FieldManager,
  now: Instant,
): readonly ManagedFields[] {
  const [was, is] = [before === undefined ? {} : owned(before), owned(after)];
  // A Scale leaves out a zero, so nobody is known to have written it.
  const changed = subresource === 'scale' ? withoutZeros(changesOf(was, is)) : changesOf(was, is);
  const lost = changesOf(is, was, true);
  const kept = (before?.metadata.managedFields ?? []).map((entry) => ({
    ...entry,
    fieldsV1: minus(minus(entry.fieldsV1, fieldsOf(changesOf(was, is))), fieldsOf(lost)),
  }));
  const isOwn = (entry: ManagedFields) => entry.manager === manager && (entry.subresource ?? '') === subresource;
  const own = kept.find(isOwn)?.fieldsV1 ?? {};
  if (Object.keys(changed).length === 0) return kept.filter(holdsAny);
  const entry: ManagedFields = {
    manager,
    operation: 'Update',
    apiVersion: after.apiVersion,
    time: secondTime(now),
    fieldsType: 'FieldsV1',
    fieldsV1: plus(own, fieldsOf(changed)),
    ...(subresource === '' ? {} : { subresource }),
  };
  return [...kept.filter((one) => !isOwn(one)), entry].filter(holdsAny);
}

function holdsAny({ fieldsV1 }: ManagedFields): boolean {
  return Object.keys(fieldsV1).length > 0;
}

/** What of an object can be owned. */
function owned({ apiVersion: _version, kind: _kind, metadata, ...rest }: KubeObject): JsonObject {
  const { labels, annotations, finalizers } = metadata;
  return {
    ...rest,
    metadata: { ...(labels && { labels }), ...(annotations && { annotations }), ...(finalizers && { finalizers }) },
  };
}

/** What `after` has that `before` has not, or `missingOnly` what it has in no form. */
function changesOf(before: JsonObject, after: JsonObject, missingOnly = false): JsonObject {
  return Object.fromEntries(
    Object.entries(after).flatMap(([key, value]) => {
      const old = before[key];
      if (isDeepStrictEqual(old, value)) return [];
      if (isObject(value) && isObject(old)) {
        const inner = changesOf(old, value, missingOnly);
        return Object.keys(inner).length === 0 ? [] : [[key, inner] as const];
      }
      return missingOnly && old !== undefined ? [] : [[key, value] as const];
    }),
  );
}

function withoutZeros(changed: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(changed).flatMap(([key, value]) => {
      const inner = isObject(value) ? withoutZeros(value) : value;
      const isNothing = inner === 0 || (isObject(inner) && Object.keys(inner).length === 0);
      return isNothing ? [] : [[key, inner] as const];
    }),
  );
}

/** `{ spec: { replicas: 2 } }` as `{ 'f:spec': { 'f:replicas': {} } }`. */
function fieldsOf(value: unknown): JsonObject {
  return Object.fromEntries(Object.entries(asObject(value)).map(([key, inner]) => [`f:${key}`, fieldsOf(inner)]));
}

function minus(fields: JsonObject, gone: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, inner]) => {
      if (!Object.hasOwn(gone, key)) return [[key, inner] as const];
      const [was, taken] = [asObject(inner), asObject(gone[key])];
      const left = minus(was, taken);
      return Object.keys(taken).length === 0 || Object.keys(left).length === 0 ? [] : [[key, left] as const];
    }),
  );
}

function plus(fields: JsonObject, more: JsonObject): JsonObject {
  const both = Object.entries(more).map(([key, inner]) => [key, plus(asObject(fields[key]), asObject(inner))] as const);
  return { ...fields, ...Object.fromEntries(both) };
}
