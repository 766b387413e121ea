import { isOlder } from '../resource-version.ts';
import { ignoreAnnotation, markAnnotation, replicasAnnotation, type PresentResource } from './resource-view.ts';
import { numberAt, textAt, valueAt } from '../value-at.ts';

/** What Go's `strconv.ParseBool` takes for true. Every other text, the empty one too, does not forbid scaling (SPEC 6.7). */
const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/**
 * Keeps what scaling needs of a scalable object (SPEC 6). Any value may come in. A missing field gets Kubernetes' default:
 * one replica wanted, none ready.
 */
export function readResource(object: unknown): PresentResource {
  const record = annotationOf(object, replicasAnnotation);
  const uid = textAt(object, 'metadata', 'uid');
  const replicas = numberAt(object, 'spec', 'replicas') ?? 1;
  const ending = replicas === 0 ? statusNumber(object, 'replicas') + statusNumber(object, 'terminatingReplicas') : 0;
  return {
    found: true,
    ...(uid === '' ? {} : { uid }),
    resourceVersion: textAt(object, 'metadata', 'resourceVersion'),
    replicas,
    readyReplicas: statusNumber(object, 'readyReplicas'),
    ...(ending === 0 ? {} : { ending }),
    observed: isObserved(object),
    marked: annotationOf(object, markAnnotation) !== undefined,
    ...(record === undefined ? {} : { record }),
    ignored: truths.has(annotationOf(object, ignoreAnnotation) ?? ''),
  };
}

/**
 * As `readResource`, for a kind that shows its replicas only in its scale subresource (SPEC 6.6). A Scale leaves a zero out,
 * so a missing field is 0 and not 1. Both have the object's resourceVersion. Where they were read on either side of a
 * change, the older one is kept, so that a write on it meets a conflict.
 */
export function readScaledResource(object: unknown, scale: unknown): PresentResource {
  // Of such a kind nobody knows what the number in its status means.
  const { ending: _, ...own } = readResource(object);
  const ready = numberAt(object, 'status', 'readyReplicas') ?? numberAt(scale, 'status', 'replicas') ?? 0;
  const scaleVersion = textAt(scale, 'metadata', 'resourceVersion');
  return {
    ...own,
    resourceVersion: isOlder(scaleVersion, own.resourceVersion) ? scaleVersion : own.resourceVersion,
    replicas: numberAt(scale, 'spec', 'replicas') ?? 0,
    readyReplicas: ready,
  };
}

function statusNumber(object: unknown, field: string): number {
  return numberAt(object, 'status', field) ?? 0;
}

function annotationOf(object: unknown, name: string): string | undefined {
  const value = valueAt(object, 'metadata', 'annotations', name);
  return typeof value === 'string' ? value : undefined;
}

function isObserved(object: unknown): boolean {
  const generation = numberAt(object, 'metadata', 'generation') ?? 0;
  const observed = numberAt(object, 'status', 'observedGeneration');
  if (observed !== undefined) return observed >= generation;
  // Items of a typed list carry no apiVersion, and only apps/v1 is read from such lists. There, a status without the field
  // was not written yet; other kinds may never report the field.
  const apiVersion = textAt(object, 'apiVersion');
  return apiVersion !== '' && apiVersion !== 'apps/v1';
}
