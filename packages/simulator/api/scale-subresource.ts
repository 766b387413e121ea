import { valueAt } from 'dependency-watchdog/domain/value-at.ts';
import { ApiRefusal, conflict, invalidField, resourceNotFound } from '../store/api-refusal.ts';
import { asObject, type JsonObject, withValueAt } from '../store/kube-object.ts';
import type { FieldManager } from '../store/managed-fields.ts';
import { replaceObject, type Storage } from '../store/object-writes.ts';
import type { ResourceKind, ScalePaths } from '../store/resource-kind.ts';
import type { Revision } from '../store/revision.ts';

/** The object as its `autoscaling/v1` Scale shows it. Zero desired replicas are left out, as Kubernetes does. */
export function scaleOf(kind: ResourceKind, { object }: Revision): JsonObject {
  const paths = pathsOf(kind);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const desired = valueAt(object, ...paths.specReplicas) ?? unsaid(kind, paths);
  const selector = selectorText(paths.selector === undefined ? undefined : valueAt(object, ...paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: desired === 0 ? {} : { replicas: desired },
    status: { replicas: valueAt(object, ...paths.statusReplicas) ?? 0, ...(selector === '' ? {} : { selector }) },
  };
}

/** Writes the desired replicas of a Scale. Its resourceVersion is a precondition; so is its uid, except for custom resources. */
export function writeScale(
  storage: Storage,
  kind: ResourceKind,
  current: Revision,
  scale: JsonObject,
  by: FieldManager,
): Revision {
  const paths = pathsOf(kind);
  const { uid, resourceVersion } = asObject(scale['metadata']);
  const replicas = valueAt(scale, 'spec', 'replicas') ?? 0;
  if (!Number.isInteger(replicas) || Number(replicas) < 0) {
    const problem = `Invalid value: ${JSON.stringify(replicas)}: must be greater than or equal to 0`;
    throw invalidField({ group: 'autoscaling', kind: 'Scale' }, current.object.metadata.name, 'spec.replicas', problem);
  }
  const scaled = withValueAt(current.object, paths.specReplicas, replicas);
  const { metadata } = current.object;
  if (kind.custom !== true && typeof uid === 'string' && uid !== metadata.uid) {
    const because = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
    throw conflict({ ...kind, plural: `${kind.plural}/scale` }, metadata.name, because);
  }
  const asked = { ...scaled, metadata: { ...metadata, resourceVersion: resourceVersion ?? '' } };
  return replaceObject(storage, kind, current, storage.store.admitted(kind, asked, current.object), 'object', by);
}

/** Kubernetes fills in a default for its own kinds; it knows none for a custom resource. */
function unsaid(kind: ResourceKind, { specReplicas }: ScalePaths): number {
  if (kind.custom !== true) return 0;
  const message = `Internal error occurred: the spec replicas field ".${specReplicas.join('.')}" does not exist`;
  throw new ApiRefusal({ code: 500, reason: 'InternalError', message, details: { causes: [{ message }] } });
}

function pathsOf(kind: ResourceKind): ScalePaths {
  if (kind.scale === undefined) throw resourceNotFound();
  return kind.scale;
}

/** `app=x,tier in (a,b)`, as a label selector is written in one line. */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  const labels = Object.entries(asObject(valueAt(selector, 'matchLabels')));
  return labels.map(([key, value]) => `${key}=${String(value)}`).join(',');
}
