import { isOlder } from '../resource-version.ts';
import { ignoreAnnotation, markAnnotation, replicasAnnotation, type PresentResource } from './resource-view.ts';
import { numberAt, textAt, valueAt } from '../value-at.ts';

/** What Go's `strconv.ParseBool` takes for true; everything else, an empty text too, is no order to keep off (SPEC 6.7). */
const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/**
 * Keeps of a scalable object what scaling needs (SPEC 6). Anything may come in; what is missing reads as Kubernetes
 * fills it in: one replica wanted, none ready.
 */
export function readResource(object: unknown): PresentResource {
  const record = annotationOf(object, replicasAnnotation);
  const uid = textAt(object, 'metadata', 'uid');
  return {
    found: true,
    ...(uid === '' ? {} : { uid }),
    resourceVersion: textAt(object, 'metadata', 'resourceVersion'),
    replicas: numberAt(object, 'spec', 'replicas') ?? 1,
    readyReplicas: numberAt(object, 'status', 'readyReplicas') ?? 0,
    observed: isObserved(object),
    marked: annotationOf(object, markAnnotation) !== undefined,
    ...(record === undefined ? {} : { record }),
    ignored: truths.has(annotationOf(object, ignoreAnnotation) ?? ''),
  };
}

/**
 * As `readResource`, for a kind whose replicas are known through its scale subresource only (SPEC 6.6). A Scale leaves
 * a zero out, so that what is missing there is 0 and not 1. Its resourceVersion is the object's; where the two
 * were read on either side of a change, the older one stands, so that a write on it meets a conflict.
 */
export function readScaledResource(object: unknown, scale: unknown): PresentResource {
  const own = readResource(object);
  const ready = numberAt(object, 'status', 'readyReplicas') ?? numberAt(scale, 'status', 'replicas') ?? 0;
  const scaleVersion = textAt(scale, 'metadata', 'resourceVersion');
  return {
    ...own,
    resourceVersion: isOlder(scaleVersion, own.resourceVersion) ? scaleVersion : own.resourceVersion,
    replicas: numberAt(scale, 'spec', 'replicas') ?? 0,
    readyReplicas: ready,
  };
}

function annotationOf(object: unknown, name: string): string | undefined {
  const value = valueAt(object, 'metadata', 'annotations', name);
  return typeof value === 'string' ? value : undefined;
}

function isObserved(object: unknown): boolean {
  const generation = numberAt(object, 'metadata', 'generation') ?? 0;
  const observed = numberAt(object, 'status', 'observedGeneration');
  if (observed !== undefined) return observed >= generation;
  // The items of a typed list carry no apiVersion, and of those only apps/v1 is read. There, a status without
  // the field is one that nobody has written yet; other kinds may never report it.
  const apiVersion = textAt(object, 'apiVersion');
  return apiVersion !== '' && apiVersion !== 'apps/v1';
}
