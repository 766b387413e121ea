import { drawChance } from '../domain/backoff.ts';
import type { Instant } from '../domain/time.ts';
import {
  applyAnswer,
  askDeletion,
  askedNumbers,
  duePods,
  forgetPod,
  forgetPods,
  leftOver,
  mustList,
  nextDueAt,
  podOf,
  recordPod,
  triedAnew,
  unselectedIn,
  type MayGo,
} from '../domain/weeder/pod-ledger.ts';
import { mayGoAt, roundsAfter } from '../domain/weeder/pod.ts';
import type { WeederContext, WeederDecision } from './weeder-context.ts';
import type { WeederCommand, WeederEvent } from './weeder-language.ts';
import { isAvailable, mayHaveFailed } from '../domain/weeder/service-slices.ts';

type Of<Type extends WeederEvent['type']> = Extract<WeederEvent, { type: Type }>;

/**
 * Deletions of one service under way at a time. All services share one bucket: a namespace with hundreds of broken pods
 * must not make the service that comes back after it wait.
 */
export const mostDeletions = 10;

export function recordSlices(context: WeederContext, { slices }: Of<'slices.changed'>): WeederDecision {
  return { context: { ...context, slices }, commands: [] };
}

/** The service is back: its dependants are watched from now on, or for as long again (SPEC 7.2). */
export function openWindow(context: WeederContext, at: Instant): WeederDecision {
  const { window, watchDuration, selectors } = context;
  const endsAt = at + watchDuration;
  const note: WeederCommand = { type: 'note', params: { kind: 'windowOpened', endsAt, extended: window !== null } };
  if (window !== null) {
    const pods = triedAnew(context.pods);
    return { context: { ...context, pods, window: { ...window, endsAt, rounds: {} } }, commands: [note] };
  }
  const number = context.numbered + 1;
  return {
    context: { ...context, numbered: number, window: { number, endsAt, deleted: 0, rounds: {} } },
    commands: [note, { type: 'watchPods', params: { number, selectors } }],
  };
}

/** Nothing is done while a service is down (SPEC 7.2): what was not sent is taken back. */
export function holdBack(context: WeederContext): WeederDecision {
  return { context, commands: askedNumbers(context.pods).map(withdrawal) };
}

export function closeWindow(context: WeederContext): WeederDecision {
  const { window, pods } = context;
  if (window === null) return { context, commands: [] };
  const unselected = unselectedIn(pods);
  const closed = { kind: 'windowClosed', deleted: window.deleted, left: leftOver(pods) } as const;
  return {
    context: { ...context, window: null, pods: forgetPods(pods) },
    commands: [
      ...holdBack(context).commands,
      { type: 'leavePods', params: { number: window.number } },
      { type: 'note', params: unselected.count === 0 ? closed : { ...closed, unselected } },
    ],
  };
}

/**
 * News of an earlier window's watch does not count. Where a pod no longer crash-loops, or no selector picks it any more, what was not sent is
 * taken back: the pod would be deleted on old news (S8).
 */
export function recordNews(context: WeederContext, event: Of<'pod.changed'> | Of<'pod.gone'>): WeederDecision {
  const { window } = context;
  if (event.number !== window?.number) return { context, commands: [] };
  const { uid } = event.pod;
  const before = podOf(context.pods, uid);
  const pods = event.type === 'pod.changed' ? recordPod(context.pods, event.pod) : forgetPod(context.pods, event.pod);
  const after = podOf(pods, uid);
  const mayStillGo = after?.waits !== undefined && after.origin.spared === undefined;
  const isVoid = before?.deletion.step === 'asked' && before.waits !== undefined && !mayStillGo;
  const commands = isVoid ? [withdrawal(before.deletion.number)] : [];
  const spared = before?.waits !== undefined ? undefined : sparedNote({ ...context, pods }, event);
  return { context: { ...context, pods }, commands: spared === undefined ? commands : [...commands, spared] };
}

/** Why a pod that has just begun to crash-loop does not go now. */
function sparedNote(context: WeederContext, event: Of<'pod.changed'> | Of<'pod.gone'>): WeederCommand | undefined {
  const known = podOf(context.pods, event.pod.uid);
  if (known?.waits === undefined || known.deletion.step !== 'none') return undefined;
  const { pod, origin } = known;
  if (origin.spared !== undefined) return { type: 'note', params: { kind: 'podSpared', pod, because: origin.spared } };
  const until = mayGo(context)(origin);
  return until <= event.at ? undefined : { type: 'note', params: { kind: 'podSpared', pod, because: 'pause', until } };
}

/** What the owners of its pods allow. */
export function mayGo({ window }: WeederContext): MayGo {
  return (origin) => mayGoAt(origin, window?.rounds ?? {});
}

/**
 * A pod that is twice no longer as it was seen has changed unseen: its watch may be half open, and would show nothing for
 * long. So its namespace is listed again (SPEC 7.3).
 */
export function applyDeletionAnswer(
  context: WeederContext,
  { asked, answer, at }: Of<'deletion.answered'>,
): WeederDecision {
  const { value, rest } = drawChance(context.chance);
  const pods = applyAnswer(context.pods, asked.number, answer, { at, chance: value });
  if (pods === undefined) return { context, commands: [] };
  const { window } = context;
  const deleted = answer.outcome === 'deleted' ? 1 : 0;
  const counted = window === null ? null : { ...window, deleted: window.deleted + deleted };
  const isListed = window !== null && mustList(context.pods, asked.number, answer);
  return {
    context: { ...context, pods, chance: rest, window: counted },
    commands: isListed ? [{ type: 'listPods', params: { number: window.number } }] : [],
  };
}

/** Has deleted what is due, as far as so many may be under way; within the window, and not after it (SPEC 7.3, S8). */
export function weed(context: WeederContext, event: WeederEvent): WeederDecision {
  const { window } = context;
  if (window === null || event.at >= window.endsAt) return { context, commands: [] };
  let { pods, numbered } = context;
  let { rounds } = window;
  const due = duePods(pods, event.at, mayGo(context));
  const free = mostDeletions - askedNumbers(pods).length;
  const commands: WeederCommand[] = [];
  for (const known of due.slice(0, free)) {
    numbered += 1;
    pods = askDeletion(pods, known, numbered);
    const { pod, waits, origin } = known;
    rounds = roundsAfter(origin, rounds, event.at);
    commands.push({ type: 'deletePod', params: { number: numbered, pod, waits } });
  }
  // Said with the news of the pod itself, not with each turn that it waits.
  const came = event.type === 'pod.changed' ? event.pod.uid : undefined;
  for (const { pod } of due.slice(free))
    if (pod.uid === came) commands.push({ type: 'note', params: { kind: 'deletionHeld', pod } });
  return { context: { ...context, pods, numbered, window: { ...window, rounds } }, commands };
}

function withdrawal(number: number): WeederCommand {
  return { type: 'withdraw', params: { number } };
}

/** When time alone brings something about: a deletion to be tried again, the end of an owner's pause, or the window's. */
export function weederWakeAt(context: WeederContext, isRecovering: boolean): Instant | undefined {
  const { window, pods } = context;
  if (window === null) return undefined;
  const dueAt = isRecovering && askedNumbers(pods).length < mostDeletions ? nextDueAt(pods, mayGo(context)) : undefined;
  return Math.min(window.endsAt, dueAt ?? Infinity);
}

type Args = Readonly<{ context: WeederContext; event: WeederEvent }>;

/** What the chart asks of an event; each name completes "if …". */
export const weederGuards = {
  isAvailable: ({ event }: Args) => event.type === 'slices.changed' && isAvailable(event.slices),
  isDown: ({ event }: Args) => event.type === 'slices.changed' && !isAvailable(event.slices),
  mayHaveFailed: ({ context, event }: Args) =>
    event.type === 'slices.changed' && mayHaveFailed(context.slices, event.slices, event.gap, event.at),
  isWindowOver: ({ context, event }: Args) => context.window !== null && event.at >= context.window.endsAt,
};
