import { valueAt } from '../domain/value-at.ts';
import { invalidField, resourceNotFound } from './api-refusal.ts';
import { asObject, type JsonObject, withValueAt } from './kube-object.ts';
import { replaceObject, type World } from './object-writes.ts';
import type { ResourceKind, ScalePaths } from './resource-kind.ts';
import type { Revision } from './revision.ts';

/** The object as its `autoscaling/v1` Scale shows it. Zero desired replicas are left out, as Kubernetes does. */
export function scaleOf(kind: ResourceKind, { object }: Revision): JsonObject {
  const paths = pathsOf(kind);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const desired = valueAt(object, ...paths.specReplicas) ?? 0;
  const selector = selectorText(paths.selector === undefined ? undefined : valueAt(object, ...paths.selector));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: desired === 0 ? {} : { replicas: desired },
    status: { replicas: valueAt(object, ...paths.statusReplicas) ?? 0, ...(selector === '' ? {} : { selector }) },
  };
}

/** Writes the desired replicas of a Scale; its resourceVersion and uid, where it has them, are preconditions. */
export function writeScale(world: World, kind: ResourceKind, current: Revision, scale: JsonObject): Revision {
  const paths = pathsOf(kind);
  const { uid, resourceVersion } = asObject(scale['metadata']);
  const replicas = valueAt(scale, 'spec', 'replicas') ?? 0;
  if (!Number.isInteger(replicas) || Number(replicas) < 0) {
    const problem = `Invalid value: ${JSON.stringify(replicas)}: must be greater than or equal to 0`;
    throw invalidField({ group: 'autoscaling', kind: 'Scale' }, current.object.metadata.name, 'spec.replicas', problem);
  }
  const scaled = withValueAt(current.object, paths.specReplicas, replicas);
  const preconditions = { ...(uid === undefined ? {} : { uid }), resourceVersion: resourceVersion ?? '' };
  return replaceObject(world, kind, current, { ...scaled, metadata: { ...current.object.metadata, ...preconditions } });
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
