import type { ResourceView } from './resource-view.ts';

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
  /** The resourceVersion that was seen is not the newest. */
  | Readonly<{ outcome: 'conflict' }>
  | Readonly<{ outcome: 'missing' }>
  /** Not sent: it was withdrawn while it waited. */
  | Readonly<{ outcome: 'withdrawn' }>
  /** The seed said no, or did not answer. `detail` is one line for the operator. */
  | Readonly<{ outcome: 'failed'; detail: string }>;

export type ReadAnswer =
  | Readonly<{ outcome: 'read'; view: ResourceView }>
  /** We may not read it (403): asking again soon would change nothing (SPEC 6.8). */
  | Readonly<{ outcome: 'refused'; detail: string }>
  | Readonly<{ outcome: 'failed'; detail: string }>;
