import { drawChance } from '../domain/jitter.ts';
import {
  askDeletion,
  askedNumbers,
  duePods,
  keepAnswer,
  keepPod,
  leftOver,
  losePod,
  losePods,
  nextRetryAt,
  podOf,
} from '../domain/weeder/pod-ledger.ts';
import type { Instant } from '../domain/time.ts';
import type { WeederContext, WeederDecision } from './weeder-context.ts';
import type { WeederCommand, WeederEvent } from './weeder-language.ts';

type Of<Type extends WeederEvent['type']> = Extract<WeederEvent, { type: Type }>;

/**
 * Deletions of one service under way at a time. All services share one bucket: a namespace with hundreds of broken pods
 * must not make the service that comes back after it wait.
 */
export const mostDeletions = 10;

export function keepSlices(_context: WeederContext, { slices }: Of<'slices.changed'>): WeederDecision {
  return { change: { slices }, commands: [] };
}

/** The service is back: its dependants are watched from now on, or for as long again (SPEC 7.2). */
export function openWindow(context: WeederContext, at: Instant): WeederDecision {
  const { window, watchDuration, selectors } = context;
  const endsAt = at + watchDuration;
  const note: WeederCommand = { type: 'note', params: { kind: 'windowOpened', endsAt, extended: window !== null } };
  if (window !== null) return { change: { window: { ...window, endsAt } }, commands: [note] };
  const number = context.numbered + 1;
  return {
    change: { numbered: number, window: { number, endsAt, deleted: 0 } },
    commands: [note, { type: 'watchPods', params: { number, selectors } }],
  };
}

/** Nothing is done while a service is down (SPEC 7.2): what was not sent is taken back. */
export function holdBack({ pods }: WeederContext): WeederDecision {
  return { change: {}, commands: askedNumbers(pods).map((number) => ({ type: 'withdraw', params: { number } })) };
}

export function closeWindow(context: WeederContext): WeederDecision {
  const { window, pods } = context;
  if (window === null) return { change: {}, commands: [] };
  return {
    change: { window: null, pods: losePods(pods) },
    commands: [
      ...holdBack(context).commands,
      { type: 'leavePods', params: { number: window.number } },
      { type: 'note', params: { kind: 'windowClosed', deleted: window.deleted, left: leftOver(pods) } },
    ],
  };
}

/**
 * News of an earlier window's watch are none. Where a pod no longer crash-loops, what was not sent is taken back: it
 * would be deleted on old news (S8).
 */
export function keepNews({ window, pods }: WeederContext, event: Of<'pod.changed'> | Of<'pod.gone'>): WeederDecision {
  if (event.number !== window?.number) return { change: {}, commands: [] };
  const { uid } = event.pod;
  const kept = event.type === 'pod.changed' ? keepPod(pods, event.pod) : losePod(pods, event.pod);
  const known = podOf(pods, uid);
  if (known?.deletion.step !== 'asked' || !known.crashLooping || podOf(kept, uid)?.crashLooping)
    return { change: { pods: kept }, commands: [] };
  return { change: { pods: kept }, commands: [{ type: 'withdraw', params: { number: known.deletion.number } }] };
}

export function keepDeletion(
  { window, pods, chance }: WeederContext,
  { number, answer, at }: Of<'deletion.answered'>,
): WeederDecision {
  const { value, rest } = drawChance(chance);
  const kept = keepAnswer(pods, number, answer, { at, chance: value });
  if (kept === undefined) return { change: {}, commands: [] };
  const change = { pods: kept, chance: rest };
  if (window === null || answer.outcome !== 'deleted') return { change, commands: [] };
  return { change: { ...change, window: { ...window, deleted: window.deleted + 1 } }, commands: [] };
}

/** Has deleted what is due, as far as so many may be under way; within the window, and not after it (SPEC 7.3, S8). */
export function weed(context: WeederContext, event: WeederEvent): WeederDecision {
  const { window } = context;
  if (window === null || event.at >= window.endsAt) return { change: {}, commands: [] };
  let { pods, numbered } = context;
  const due = duePods(pods, event.at);
  const free = mostDeletions - askedNumbers(pods).length;
  const commands: WeederCommand[] = [];
  for (const known of due.slice(0, free)) {
    numbered += 1;
    pods = askDeletion(pods, known, numbered);
    commands.push({ type: 'deletePod', params: { number: numbered, pod: known.pod } });
  }
  // Said with the news of the pod itself, not with each turn that it waits.
  const came = event.type === 'pod.changed' ? event.pod.uid : undefined;
  for (const { pod } of due.slice(free))
    if (pod.uid === came) commands.push({ type: 'note', params: { kind: 'deletionHeld', pod } });
  return { change: { pods, numbered }, commands };
}

/** When time alone brings something about: a deletion to be tried again, or the window's end. */
export function weederWakeAt({ window, pods }: WeederContext, isRecovering: boolean): Instant | undefined {
  if (window === null) return undefined;
  const retryAt = isRecovering && askedNumbers(pods).length < mostDeletions ? nextRetryAt(pods) : undefined;
  return Math.min(window.endsAt, retryAt ?? Infinity);
}
