import type { ResourceChange, PresentResource, ResourceView } from './resource-view.ts';

/** Down to 0; or back up: `upAll` whatever stands at 0, `upOurs` only what carries our mark (SPEC 5.3, too few to tell). */
export type Aim = 'down' | 'upAll' | 'upOurs';

/**
 * The next write that brings the resource nearer to the aim, or none (SPEC 6.4, 6.5, 6.7). Where annotations and
 * replicas cannot be written at once, the order is such that a crash between two writes leaves neither 0 replicas
 * without a mark nor a record lost. `undone`: what our writes asked for, where the resource showed otherwise (SPEC 6.8).
 */
export function dueChange(
  view: ResourceView,
  aim: Aim,
  atOnce: boolean,
  undone?: ResourceChange,
): ResourceChange | undefined {
  if (!view.found) return undefined;
  if (view.ignored) return view.marked ? { mark: false } : undefined;
  return aim === 'down' ? dueDown(view, atOnce, undone) : dueUp(view, aim, atOnce, undone);
}

function dueDown(
  view: PresentResource,
  atOnce: boolean,
  undone: ResourceChange | undefined,
): ResourceChange | undefined {
  const lost = lostCount(view, undone);
  if (view.replicas === 0) return lost === undefined ? undefined : { mark: true, record: lost };
  if (isRecorded(view)) return { replicas: 0 };
  const kept = { mark: true, record: lost ?? view.replicas };
  return atOnce ? { replicas: 0, ...kept } : kept;
}

function dueUp(
  view: PresentResource,
  aim: Aim,
  atOnce: boolean,
  undone: ResourceChange | undefined,
): ResourceChange | undefined {
  // What is not there is not said to be removed (SPEC 9.4).
  const unmarked = {
    ...(view.marked ? { mark: false } : {}),
    ...(view.record === undefined ? {} : { record: null }),
  };
  const recorded = readRecord(view.record);
  const lost = lostCount(view, undone);
  const isBack = view.replicas > 0 && (!view.marked || view.replicas >= (recorded ?? 1));
  if (isBack && lost === undefined) return view.marked ? unmarked : undefined;
  if (aim === 'upOurs' && !view.marked && lost === undefined) return undefined;
  const replicas = lost ?? recorded ?? 1;
  if (!atOnce) return { replicas };
  // A record of 1 tells no more than none does, so it may go with the write that raises: where that does not take, nothing is lost.
  if (replicas === 1 && undone === undefined) return { replicas, ...unmarked };
  return isRecorded(view) ? { replicas } : { replicas, mark: true, record: replicas };
}

function isRecorded({ marked, record }: PresentResource): boolean {
  return marked && readRecord(record) !== undefined;
}

/** The replicas that it had, where it has fewer by a write of ours of which mark, record or replicas did not take: only we know them. */
export function lostCount(view: PresentResource, undone: ResourceChange | undefined): number | undefined {
  if (undone === undefined || isRecorded(view)) return undefined;
  const count = undone.record ?? undone.replicas ?? 0;
  return view.replicas < count ? count : undefined;
}

/** Whether the resource shows otherwise than a write of ours asked for: something on its way, or somebody after it, undid it (SPEC 6.8). */
export function isUndone({ replicas, mark }: ResourceChange, view: ResourceView): boolean {
  if (!view.found) return false;
  if (mark === false && view.marked) return true;
  if (view.ignored) return false;
  if (replicas !== undefined && (replicas === 0 ? view.replicas > 0 : view.replicas < replicas)) return true;
  return mark === true && !isRecorded(view);
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
