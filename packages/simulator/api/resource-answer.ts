import {
  badRequest,
  conflict,
  detailsOf,
  methodNotAllowed,
  notFound,
  resourceNotFound,
  unsupportedMediaType,
} from '../store/api-refusal.ts';
import type { ApiRequest } from './api-request.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { jsonPatch, mergePatch } from '../store/patches.ts';
import { asObject, isObject, type JsonObject } from '../store/kube-object.ts';
import { listAnswer } from './list-answer.ts';
import type { FieldManager } from '../store/managed-fields.ts';
import { objectKey, type Revision } from '../store/revision.ts';
import { createObject, type Deletion, removeObject, replaceObject, type Storage } from '../store/object-writes.ts';
import { apiVersionOf, type ResourceKind } from '../store/resource-kind.ts';
import { refuseMalformed, type CameBy } from '../store/admission.ts';
import { scaleOf, writeScale } from './scale-subresource.ts';
import { tableAnswer } from './table.ts';

export type ObjectAnswer = Readonly<{ code: number; json: string }>;

/** Plain text is what no resource is. */
export type Answer = ObjectAnswer | Readonly<{ code: number; text: string }>;

/** A request's body, parsed; `type` is its media type without parameters. */
export type Body = Readonly<{ type: string; content: unknown }>;

/** Answers every verb but watch. Throws ApiRefusal. */
export function resourceAnswer(storage: Storage, kind: ResourceKind, ask: ApiRequest, body: Body): ObjectAnswer {
  const { verb, subresource } = ask;
  if (subresource !== '' && !subresourcesOf(kind).includes(subresource)) throw resourceNotFound();
  // A real server deletes whole collections as well; nobody here asks for that.
  if (verb === 'delete' && (subresource !== '' || ask.name === '')) throw methodNotAllowed();
  if ((verb === 'update' || verb === 'patch') && ask.name === '') throw methodNotAllowed();
  switch (verb) {
    case 'list':
      return { code: 200, json: listAnswer(storage, kind, ask) };
    case 'get': {
      const found = find(storage, kind, ask);
      if (!ask.asTable || subresource !== '') return shown(kind, subresource, found, 200);
      const { resourceVersion } = found.object.metadata;
      return { code: 200, json: tableAnswer(kind, [found], { resourceVersion }, storage.clock.now()) };
    }
    case 'create':
      if (ask.name !== '') throw methodNotAllowed();
      return shown(kind, '', create(storage, kind, ask, body.content), 201);
    case 'update':
      return shown(kind, subresource, write(storage, kind, ask, body.content, 'body'), 200);
    case 'patch': {
      const current = find(storage, kind, ask);
      const before = subresource === 'scale' ? scaleOf(kind, current) : current.object;
      return shown(kind, subresource, write(storage, kind, ask, patched(before, body), 'patch'), 200);
    }
    case 'delete': {
      const gone = removeObject(storage, kind, find(storage, kind, ask), deletionOf(ask, body));
      return {
        code: 200,
        json: gone.object.metadata.deletionTimestamp === undefined ? deleted(kind, gone) : gone.json,
      };
    }
    case 'watch':
      throw methodNotAllowed();
    default:
      return verb satisfies never;
  }
}

export function subresourcesOf(kind: ResourceKind): readonly string[] {
  return [...(kind.hasStatus === true ? ['status'] : []), ...(kind.scale === undefined ? [] : ['scale'])];
}

/** The options stand in the body, or in the query where there is none. */
function deletionOf({ query }: ApiRequest, { content }: Body): Deletion {
  const { preconditions, gracePeriodSeconds = query.get('gracePeriodSeconds') ?? undefined } = asObject(content);
  const grace = gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: Number(gracePeriodSeconds) };
  return { preconditions: asObject(preconditions), ...grace };
}

function deleted(kind: ResourceKind, { object }: Revision): string {
  const { name, uid } = object.metadata;
  const details = { ...detailsOf(kind, name), uid };
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
}

function find(storage: Storage, kind: ResourceKind, { namespace, name }: ApiRequest): Revision {
  const found = storage.store.of(kind).get(objectKey(kind.namespaced ? namespace : '', name));
  if (found === undefined) throw notFound(kind, name);
  return found;
}

function create(storage: Storage, kind: ResourceKind, ask: ApiRequest, content: unknown): Revision {
  const { namespace } = ask;
  const sent = draftOf(kind, content, 'body');
  if (isHomeless(storage, kind, namespace)) throw notFound(kinds.namespace, namespace);
  // A new object has no past: its controller writes its status later.
  const { status: _status, ...fresh } = sent;
  const draft = kind.hasStatus === true && kind.comesWithStatus !== true ? fresh : sent;
  return createObject(storage, kind, kind.admit?.(draft, undefined) ?? draft, namespace, managerOf(ask));
}

/** A server that serves no namespaces does not require any. */
function isHomeless({ store }: Storage, kind: ResourceKind, namespace: string): boolean {
  const namespaces = store.of(kinds.namespace);
  return kind.namespaced && namespaces.size > 0 && namespaces.get(objectKey('', namespace)) === undefined;
}

function write(storage: Storage, kind: ResourceKind, ask: ApiRequest, content: unknown, cameBy: CameBy): Revision {
  const { name = ask.name } = asObject(asObject(content)['metadata']);
  if (name !== ask.name) {
    throw badRequest(`the name of the object (${textOf(name)}) does not match the name on the URL (${ask.name})`);
  }
  const current = find(storage, kind, ask);
  if (ask.subresource === 'scale') return writeScale(storage, kind, current, asObject(content), managerOf(ask));
  const draft = draftOf(kind, content, cameBy);
  if (cameBy === 'body') refuseOtherUid(kind, current, draft);
  if (ask.subresource === 'status') return replaceObject(storage, kind, current, draft, 'status', managerOf(ask));
  const admitted = storage.store.admitted(kind, draft, current.object);
  return replaceObject(
    storage,
    kind,
    current,
    kind.admit?.(admitted, current.object) ?? admitted,
    'object',
    managerOf(ask),
  );
}

function managerOf({ manager: name, subresource }: ApiRequest): FieldManager {
  return { name, subresource };
}

/** The uid of what is put is a precondition; that of a patch is a field like any other. */
function refuseOtherUid(kind: ResourceKind, { object }: Revision, draft: JsonObject): void {
  const { uid: actual, name } = object.metadata;
  const { uid = actual } = asObject(draft['metadata']);
  if (uid !== '' && uid !== actual)
    throw conflict(
      kind,
      name,
      `Precondition failed: UID in precondition: ${textOf(uid)}, UID in object meta: ${actual}`,
    );
}

function shown(kind: ResourceKind, subresource: string, revision: Revision, code: number): ObjectAnswer {
  return { code, json: subresource === 'scale' ? JSON.stringify(scaleOf(kind, revision)) : revision.json };
}

function patched(before: JsonObject, { type, content }: Body): unknown {
  switch (type) {
    case 'application/merge-patch+json':
      return mergePatch(before, content);
    case 'application/json-patch+json':
      return jsonPatch(before, content);
    default:
      throw unsupportedMediaType();
  }
}

function draftOf(kind: ResourceKind, content: unknown, cameBy: CameBy): JsonObject {
  if (!isObject(content)) throw badRequest('the object provided is unrecognized: it is not a JSON object');
  const { apiVersion = apiVersionOf(kind), kind: named = kind.kind } = content;
  if (apiVersion !== apiVersionOf(kind) || named !== kind.kind) {
    throw badRequest(`${textOf(named)} in version "${textOf(apiVersion)}" cannot be handled as a ${kind.kind}`);
  }
  refuseMalformed(kind, content, cameBy);
  return content;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
