import { isDeepStrictEqual } from 'node:util';
import { valueAt, numberAt, textAt } from 'dependency-watchdog/domain/value-at.ts';
import type { Chance, Clock } from 'dependency-watchdog/effects/ports.ts';
import { ApiRefusal, alreadyExists, badRequest, conflict, detailsOf, invalidField } from './api-refusal.ts';
import { asObject, type JsonObject, type KubeObject, type ObjectMeta, withValueAt, secondTime } from './kube-object.ts';
import { withOwners, type FieldManager } from './managed-fields.ts';
import { newUid, randomSuffix } from './names-by-chance.ts';
import { objectKey, type Revision } from './revision.ts';
import type { ObjectStore } from './object-store.ts';
import { apiVersionOf, groupKindOf, type ResourceKind } from './resource-kind.ts';
import { type Instant, readInstant } from 'dependency-watchdog/domain/time.ts';

/** What every write needs: where it goes, and what fills in its uid and times. */
export type Storage = Readonly<{ store: ObjectStore; clock: Clock; chance: Chance }>;

/** The status changes only through a kind's status subresource, which changes nothing else. */
export type WrittenPart = 'object' | 'status';

/** Stores a new object; refuses with 409 where the name is taken, 422 where there is none. */
export function createObject(
  storage: Storage,
  kind: ResourceKind,
  draft: JsonObject,
  namespace = '',
  by?: FieldManager,
): Revision {
  const metadata = asObject(draft['metadata']);
  const name = nameOf(metadata, storage.chance);
  if (name === undefined) {
    throw invalidField(kind, '', 'metadata.name', 'Required value: name or generateName is required');
  }
  const sent = refuseForeign(metadata, namespace);
  const collection = storage.store.of(kind);
  const home = kind.namespaced ? namespace || textOr(metadata['namespace'], 'default') : '';
  if (collection.get(objectKey(home, name)) !== undefined) throw alreadyExists(kind, name);
  const object: KubeObject = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...withDefaults(kind, draft),
    metadata: {
      ...sent,
      name,
      ...(kind.namespaced ? { namespace: home } : {}),
      uid: newUid(storage.chance),
      resourceVersion: '',
      ...(kind.countsGenerations === true ? { generation: 1 } : {}),
      creationTimestamp: secondTime(storage.clock.now()),
    },
  };
  return collection.put(withOwners(storage.clock.now(), kind, undefined, object, by));
}

/**
 * Stores a changed object. `next` may carry `metadata.resourceVersion` and `uid` as preconditions: 409 where they
 * are not the current ones. A change of nothing is no write, and keeps the resourceVersion.
 */
export function replaceObject(
  storage: Storage,
  kind: ResourceKind,
  current: Revision,
  next: JsonObject,
  part: WrittenPart = 'object',
  by?: FieldManager,
): Revision {
  const { metadata: was } = current.object;
  const metadata = asObject(next['metadata']);
  refuseIdentity(kind, was, metadata);
  const { status: statusBefore, ...before } = current.object;
  const { status: statusAfter, ...after } = withDefaults(kind, next);
  const keepsStatus = kind.hasStatus === true && part === 'object';
  const status = keepsStatus ? statusBefore : statusAfter;
  const kept = part === 'status' ? before : after;
  const object: KubeObject = {
    ...kept,
    apiVersion: current.object.apiVersion,
    kind: current.object.kind,
    metadata: part === 'status' ? was : withIdentity(metadata, was),
    ...(status === undefined ? {} : { status }),
  };
  if (isDeepStrictEqual(object, current.object)) return current;
  const counted = counts(kind, current.object, object) ? { generation: (was.generation ?? 0) + 1 } : {};
  const counting = { ...object, metadata: { ...object.metadata, ...counted } };
  const changed = withOwners(storage.clock.now(), kind, current.object, counting, by);
  const collection = storage.store.of(kind);
  const isOver = was.deletionTimestamp !== undefined && (was.deletionGracePeriodSeconds ?? 0) === 0;
  const isLastFinalizer = isOver && (changed.metadata.finalizers ?? []).length === 0;
  if (!isLastFinalizer) return collection.put(changed);
  return collection.remove(current.key) ?? current;
}

/** What a deletion may ask for. */
export type Deletion = Readonly<{ preconditions?: JsonObject; gracePeriodSeconds?: number }>;

/** Removes an object, or marks it as being deleted while it ends gracefully or finalizers hold it. */
export function removeObject(
  storage: Storage,
  kind: ResourceKind,
  current: Revision,
  { preconditions = {}, gracePeriodSeconds }: Deletion = {},
): Revision {
  const { metadata } = current.object;
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== metadata.uid) throw notThatOne(kind, metadata, 'UID', uid, metadata.uid);
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw notThatOne(kind, metadata, 'ResourceVersion', resourceVersion, metadata.resourceVersion);
  }
  const collection = storage.store.of(kind);
  const isHeld = (metadata.finalizers ?? []).length > 0;
  if (kind.endsGracefully !== true && !isHeld) return collection.remove(current.key) ?? current;
  const grace = kind.endsGracefully === true ? graceOf(current.object, gracePeriodSeconds) : 0;
  const marked = afterGrace(current.object, grace, storage.clock.now());
  const ending = marked === undefined ? current : collection.put(marked);
  return grace > 0 || isHeld ? ending : (collection.remove(current.key) ?? ending);
}

/** The metadata of what is to be created, without what only the server may set. */
function refuseForeign(metadata: JsonObject, namespace: string): JsonObject {
  const {
    resourceVersion = '',
    generation: _generation,
    deletionTimestamp: _deletion,
    managedFields: _,
    ...sent
  } = metadata;
  if (resourceVersion !== '') {
    throw new ApiRefusal({
      code: 500,
      reason: '',
      message: 'resourceVersion should not be set on objects to be created',
    });
  }
  if (namespace !== '' && textOr(metadata['namespace'], namespace) !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return sent;
}

function refuseIdentity(kind: ResourceKind, was: ObjectMeta, sent: JsonObject): void {
  const { uid, resourceVersion } = sent;
  if (uid !== undefined && uid !== '' && uid !== was.uid) {
    throw invalidField(kind, was.name, 'metadata.uid', `Invalid value: ${JSON.stringify(uid)}: field is immutable`);
  }
  if (resourceVersion !== undefined && resourceVersion !== '' && resourceVersion !== was.resourceVersion) {
    throw conflict(kind, was.name);
  }
}

function notThatOne(kind: ResourceKind, { name }: ObjectMeta, what: string, sent: unknown, actual: string): ApiRefusal {
  const named = groupKindOf(kind);
  const hint = what === 'UID' ? 'deleted and then recreated' : 'modified';
  const message = `Operation cannot be fulfilled on ${named} "${name}": the ${what} in the precondition (${String(sent)}) does not match the ${what} in record (${actual}). The object might have been ${hint}`;
  return new ApiRefusal({
    code: 409,
    reason: 'Conflict',
    message,
    details: detailsOf({ ...kind, plural: kind.kind }, name),
  });
}

/** What a writer cannot change. */
function withIdentity(sent: JsonObject, was: ObjectMeta): ObjectMeta {
  const {
    generation: _generation,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    managedFields: _fields,
    ...rest
  } = sent;
  const { name, namespace, uid, resourceVersion, creationTimestamp, generation } = was;
  const { deletionTimestamp, deletionGracePeriodSeconds, managedFields } = was;
  return {
    ...rest,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid,
    resourceVersion,
    creationTimestamp,
    ...(generation === undefined ? {} : { generation }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    ...(deletionGracePeriodSeconds === undefined ? {} : { deletionGracePeriodSeconds }),
    ...(managedFields === undefined ? {} : { managedFields }),
  };
}

/** A generation counts changes of anything but metadata and status; for some kinds, changes of metadata too. */
function counts(kind: ResourceKind, before: KubeObject, after: KubeObject): boolean {
  if (kind.countsGenerations !== true) return false;
  const { metadata: _before, status: _statusBefore, ...was } = before;
  const { metadata: _after, status: _statusAfter, ...is } = after;
  if (kind.countsMetadata === true) return true;
  const isAnnotated =
    kind.countsAnnotations === true && !isDeepStrictEqual(annotationsOf(before), annotationsOf(after));
  return isAnnotated || !isDeepStrictEqual(was, is);
}

function annotationsOf({ metadata }: KubeObject): JsonObject {
  return metadata.annotations ?? {};
}

function nameOf(metadata: JsonObject, chance: Chance): string | undefined {
  const { name, generateName } = metadata;
  if (typeof name === 'string' && name !== '') return name;
  return typeof generateName === 'string' && generateName !== '' ? generateName + randomSuffix(chance) : undefined;
}

function withDefaults(kind: ResourceKind, object: JsonObject): JsonObject {
  return Object.entries(kind.defaults ?? {}).reduce((filled, [path, value]) => {
    const keys = path.split('.');
    return valueAt(filled, ...keys) === undefined ? withValueAt(filled, keys, value) : filled;
  }, object);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

/**
 * The grace period of a pod in seconds. A pod that runs on no node, or has ended, gets none; a pod that is already being
 * deleted never gets a longer one.
 */
function graceOf(pod: KubeObject, asked: number | undefined): number {
  const before =
    pod.metadata.deletionTimestamp === undefined ? Infinity : (pod.metadata.deletionGracePeriodSeconds ?? 0);
  if (before !== Infinity) return Math.min(before, asked ?? before);
  const hasEnded = ['Failed', 'Succeeded'].includes(textAt(pod, 'status', 'phase'));
  if (textAt(pod, 'spec', 'nodeName') === '' || hasEnded) return 0;
  const grace = asked ?? numberAt(pod, 'spec', 'terminationGracePeriodSeconds') ?? 0;
  return grace < 0 ? 1 : grace;
}

/** The object marked as being deleted after this grace period; undefined where it is already marked so. */
function afterGrace(object: KubeObject, grace: number, now: Instant): KubeObject | undefined {
  const { metadata } = object;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, generation } = metadata;
  if (deletionTimestamp !== undefined && grace === deletionGracePeriodSeconds) return undefined;
  const askedAt =
    deletionTimestamp === undefined
      ? now
      : (readInstant(deletionTimestamp) ?? now) - deletionGracePeriodSeconds * 1_000;
  const counted = generation === undefined || deletionTimestamp !== undefined ? {} : { generation: generation + 1 };
  const goneAt = secondTime(askedAt + grace * 1_000);
  return {
    ...object,
    metadata: { ...metadata, ...counted, deletionTimestamp: goneAt, deletionGracePeriodSeconds: grace },
  };
}
