import { counted, seconds } from 'dependency-watchdog/adapters/words/plain-words.ts';
import { readyWords, waitWords, weederEventWords } from 'dependency-watchdog/adapters/record/words/weeder-words.ts';
import type { DeletionAnswer } from 'dependency-watchdog/domain/weeder/pod-ledger.ts';
import type { PodRef, PodView } from 'dependency-watchdog/domain/weeder/pod.ts';
import { joined, type Slices } from 'dependency-watchdog/domain/weeder/service-slices.ts';
import { naturalOrder } from 'dependency-watchdog/domain/natural-order.ts';
import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { WeederLanguage } from 'dependency-watchdog/machines/kinds.ts';
import { lanesBuilder, requests, stateFace, track, type LanesBuilder, type Requests, type Track } from './track.ts';
import type { SpanFace, SpanLane } from './lanes.ts';
import type { Tone } from '../states.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';

type Turn = ReplayedTurn<WeederLanguage>['turn'];

type Pod = Readonly<{ ref: PodRef; seen: Track; deletions: Requests }>;

/** One service in time: its state, its endpoints, its window, and each pod that crash-looped in one. */
export function weederLanes(): LanesBuilder<WeederLanguage> {
  const [state, endpoints, windows, looping] = [track(), track(), track(), track()];
  const pods = new Map<string, Pod>();
  const crashing = new Set<string>();

  return lanesBuilder<WeederLanguage>({
    take({ turn, after }) {
      const { at, event } = turn;
      if (event.type !== 'ended') state.show(at, stateFace('weeder', turn.to));
      if (event.type === 'slices.changed') endpoints.show(at, slicesFace(event.slices));
      else if (after !== undefined && endpoints.spans.at(-1)?.until !== null && event.type !== 'started')
        endpoints.show(at, slicesFace(after.context.slices));
      if (after !== undefined) windows.show(at, windowFace(after.context.window));
      watch(turn);
      deleted(turn);
      looping.show(at, crashing.size === 0 ? null : loopingFace(crashing.size));
    },
    stop(at, face) {
      state.show(at, face);
      for (const one of [endpoints, windows, looping]) one.show(at, null);
      leave(at);
      for (const { deletions } of pods.values()) deletions.drop(at);
    },
    lanes: () => ({
      first: [
        { id: 'state', name: 'state', shows: 'state', spans: state.spans, under: [] },
        { id: 'endpoints', name: 'ready endpoints', shows: 'endpoints', spans: endpoints.spans, under: [] },
        { id: 'window', name: 'window', shows: 'window', spans: windows.spans, under: [] },
        { id: 'pods', name: 'crash-looping pods', shows: 'pods', spans: looping.spans, under: [] },
      ],
      many: [...pods.values()].toSorted(worse).map(({ ref, seen, deletions }): SpanLane => ({
        id: `pod ${ref.uid}`,
        name: ref.name,
        shows: 'pod',
        spans: seen.spans,
        under: deletions.spans,
      })),
      limits: [],
    }),
  });

  function watch({ at, event, commands }: Turn): void {
    if (event.type === 'pod.changed') {
      const { pod } = event;
      const face = podFace(pod);
      if (face !== null || pods.has(pod.uid)) podOf(pod).seen.show(at, face);
      if (pod.state === 'waiting') crashing.add(pod.uid);
      else crashing.delete(pod.uid);
    }
    if (event.type === 'pod.gone') {
      pods.get(event.pod.uid)?.seen.show(at, null);
      crashing.delete(event.pod.uid);
    }
    // The pods are no longer watched.
    if (commands.some(({ type }) => type === 'leavePods')) leave(at);
  }

  function leave(at: Instant): void {
    for (const { seen } of pods.values()) seen.show(at, null);
    crashing.clear();
  }

  function deleted({ at, event, commands }: Turn): void {
    if (event.type === 'deletion.answered') {
      const { deletions } = podOf(event.asked.pod);
      const { outcome } = event.answer;
      const words = `${weederEventWords(event)}; it took ${seconds(at - event.askedAt)}`;
      if (deletions.awaits(event.asked.number))
        deletions.answer(at, { tone: answerTones[outcome], label: outcome, words });
    }
    for (const command of commands) {
      if (command.type !== 'deletePod') continue;
      const { pod: ref, number } = command.params;
      const words = `deletion ${number} of pod ${ref.name}`;
      podOf(ref).deletions.ask(at, number, { tone: 'busy', label: 'deletes', words });
    }
  }

  function podOf({ name, uid }: PodRef): Pod {
    const known = pods.get(uid);
    if (known !== undefined) return known;
    const pod: Pod = { ref: { name, uid }, seen: track(), deletions: requests() };
    pods.set(uid, pod);
    return pod;
  }
}

const answerTones: Readonly<Record<DeletionAnswer['outcome'], Tone>> = {
  deleted: 'down',
  gone: 'calm',
  replaced: 'calm',
  deletedBefore: 'calm',
  withdrawn: 'quiet',
  throttled: 'refused',
  failed: 'refused',
};

/** Those that we tried to delete come first, the most tries before others; then by name. */
function worse(one: Pod, other: Pod): number {
  return other.deletions.spans.length - one.deletions.spans.length || naturalOrder(one.ref.name, other.ref.name);
}

function slicesFace(slices: Slices): SpanFace {
  const { ready, endpoints } = joined(slices);
  const tone = ready === 0 ? 'cutOff' : 'calm';
  return {
    tone,
    label: `${ready} of ${endpoints} ready`,
    short: `${ready}/${endpoints}`,
    words: readyWords({ ready, endpoints }),
  };
}

function windowFace(window: Readonly<{ deleted: number }> | null): SpanFace | null {
  if (window === null) return null;
  const words = `${counted(window.deleted, 'pod')} deleted`;
  return {
    tone: 'busy',
    label: `open, ${words}`,
    short: `${window.deleted} deleted`,
    words: `the window is open; ${words} so far`,
  };
}

function loopingFace(count: number): SpanFace {
  const words = counted(count, 'crash-looping pod');
  return { tone: 'down', label: words, short: String(count), words };
}

function podFace(pod: PodView): SpanFace | null {
  switch (pod.state) {
    case 'waiting':
      return { tone: 'down', label: 'crash-looping', words: waitWords(pod.waits) };
    case 'ending':
      return { tone: 'quiet', label: 'ending', words: 'being deleted' };
    case 'fine':
      return null;
  }
}
