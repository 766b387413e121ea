import { isOlder } from '../resource-version.ts';
import { fieldOwner, managerOf } from './field-owner.ts';
import { numberAt, textAt, valueAt } from '../value-at.ts';

/** The annotations that the watchdog, gardenlet and operators share (SPEC 6.4, 6.7). */
export const replicasAnnotation = 'dependency-watchdog.gardener.cloud/replicas';
export const markAnnotation = 'dependency-watchdog.gardener.cloud/meltdown-protection-active';
export const ignoreAnnotation = 'dependency-watchdog.gardener.cloud/ignore-scaling';

/** What is kept of a scalable resource, from a watch, a GET, or the answer to our own write. */
export type PresentResource = Readonly<{
  found: true;
  /** Needed by objects that point at the resource, such as a Kubernetes event. */
  uid?: string;
  /** Unsigned decimal, as Kubernetes gives it. */
  resourceVersion: string;
  /** Desired replicas (`spec.replicas`; absent there means 1). */
  replicas: number;
  readyReplicas: number;
  /** At 0 replicas, pods that have not ended yet, as far as the kind tells of them (`status.replicas`, `status.terminatingReplicas`); absent where none. */
  ending?: number;
  /** The status has seen the newest spec (`observedGeneration` ≥ `generation`, or the kind reports none). */
  observed: boolean;
  /** Carries the mark `meltdown-protection-active`, with whatever value. */
  marked: boolean;
  /** It bears the mark and has replicas, or has none and bears no mark: who set them, where the seed remembers it (SPEC 6.5, 6.9). A list does not tell. */
  scaledBy?: string;
  /** The text of the replicas annotation. */
  record?: string;
  /** `ignore-scaling` is true (SPEC 6.7). */
  ignored: boolean;
}>;

/** `resourceVersion` is that of the deletion, or of the list that lacked it; absent where a GET answered 404. */
type MissingResource = Readonly<{ found: false; resourceVersion?: string }>;

export type ResourceView = PresentResource | MissingResource;

/**
 * One write on one resource. It is fully determined: its effect has no choices left (SPEC 6.4 to 6.7).
 * For `apps/v1` any fields may come together. For every other kind it is either `replicas` alone (the scale
 * subresource) or annotations alone.
 */
export type ResourceChange = Readonly<{
  replicas?: number;
  /** true sets the mark to `""`, false removes it. */
  mark?: boolean;
  /** A number sets the record, null removes it. */
  record?: number | null;
}>;

/** The outcome of a write. */
export type WriteAnswer =
  /** `view` is the resource as the answer shows it. */
  | Readonly<{ outcome: 'written'; view: ResourceView }>
  /** Answered as if it were written, and the answer shows otherwise: a webhook, a policy, a scale subresource that ignores it (SPEC 6.8). */
  | Readonly<{ outcome: 'undone'; view: PresentResource }>
  /** The resourceVersion that was seen is not the newest. */
  | Readonly<{ outcome: 'conflict' }>
  | Readonly<{ outcome: 'missing' }>
  /** Not sent: it was withdrawn while it waited. */
  | Readonly<{ outcome: 'withdrawn' }>
  /** The seed said no; or no answer tells whether it was written (`perhapsWritten`). `detail` is one line for the operator. */
  | Readonly<{ outcome: 'failed'; detail: string; perhapsWritten?: true }>;

export type ReadAnswer =
  | Readonly<{ outcome: 'read'; view: ResourceView }>
  /** We may not read it (403): asking again soon would change nothing (SPEC 6.8). */
  | Readonly<{ outcome: 'refused'; detail: string }>
  | Readonly<{ outcome: 'failed'; detail: string }>;

/** The members of a resource, and of these members, that are read of it (as of ListReader): the template of its pods is not. */
export const resourceParts: ReadonlySet<string> = new Set(['metadata', 'annotations', 'spec', 'status']);

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
  const marked = annotationOf(object, markAnnotation) !== undefined;
  const scaledBy = marked === replicas > 0 ? managerOf(fieldOwner(object, 'f:spec', 'f:replicas')) : '';
  const ending = replicas === 0 ? statusNumber(object, 'replicas') + statusNumber(object, 'terminatingReplicas') : 0;
  return {
    found: true,
    ...(uid === '' ? {} : { uid }),
    resourceVersion: textAt(object, 'metadata', 'resourceVersion'),
    replicas,
    readyReplicas: statusNumber(object, 'readyReplicas'),
    ...(ending === 0 ? {} : { ending }),
    observed: isObserved(object),
    marked,
    ...(scaledBy === '' ? {} : { scaledBy }),
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
