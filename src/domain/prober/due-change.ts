import type { ResourceChange, PresentResource, ResourceView } from './resource-view.ts';

/** Down to 0; or back up: `upAll` whatever stands at 0, `upOurs` only what carries our mark (SPEC 5.3, too few to tell). */
export type Aim = 'down' | 'upAll' | 'upOurs';

/**
 * The next write that brings the resource nearer to the aim, or none (SPEC 6.4, 6.5, 6.7). Where annotations and
 * replicas cannot be written at once, the order is such that a crash between two writes leaves neither 0 replicas
 * without a mark nor a record lost.
 */
export function dueChange(view: ResourceView, aim: Aim, atOnce: boolean): ResourceChange | undefined {
  if (!view.found) return undefined;
  if (view.ignored) return view.marked ? { mark: false } : undefined;
  return aim === 'down' ? dueDown(view, atOnce) : dueUp(view, aim, atOnce);
}

function dueDown(view: PresentResource, atOnce: boolean): ResourceChange | undefined {
  if (view.replicas === 0) return undefined;
  const recorded = view.marked && readRecord(view.record) !== undefined;
  if (atOnce) return recorded ? { replicas: 0 } : { replicas: 0, mark: true, record: view.replicas };
  return recorded ? { replicas: 0 } : { mark: true, record: view.replicas };
}

function dueUp(view: PresentResource, aim: Aim, atOnce: boolean): ResourceChange | undefined {
  // What is not there is not said to be removed (SPEC 9.4).
  const unmarked = {
    ...(view.marked ? { mark: false } : {}),
    ...(view.record === undefined ? {} : { record: null }),
  };
  if (view.replicas > 0) return view.marked ? unmarked : undefined;
  if (aim === 'upOurs' && !view.marked) return undefined;
  const replicas = readRecord(view.record) ?? 1;
  return atOnce ? { replicas, ...unmarked } : { replicas };
}

const largestReplicas = 2 ** 31 - 1;

/** The replicas a record speaks of; undefined where there is none, or it is no integer above 0. */
export function readRecord(record: string | undefined): number | undefined {
  if (record === undefined || !/^\d{1,10}$/.test(record)) return undefined;
  const replicas = Number(record);
  return replicas > 0 && replicas <= largestReplicas ? replicas : undefined;
}

/** Whether the resource has got where a write sent it (SPEC 6.1). */
export function hasArrived(view: PresentResource, aim: Aim): boolean {
  if (!view.observed) return false;
  return aim === 'down'
    ? view.replicas === 0 && view.readyReplicas === 0
    : view.replicas > 0 && view.readyReplicas >= 1;
}

/** Stands at 0, or carries our mark: what a connected shoot should not look like (SPEC 5.4). */
export function isScaledDown(view: ResourceView): boolean {
  return view.found && !view.ignored && (view.replicas === 0 || view.marked);
}

/** Whether the answer to a write shows otherwise than it asked: a webhook, a policy or a scale of its own kind changed it on its way (SPEC 6.8). */
export function isStillDue({ replicas, mark, record }: ResourceChange, shown: PresentResource): boolean {
  if (replicas !== undefined && (replicas === 0 ? shown.replicas > 0 : shown.replicas < replicas)) return true;
  if (mark !== undefined && shown.marked !== mark) return true;
  return record !== undefined && shown.record !== (record === null ? undefined : String(record));
}
