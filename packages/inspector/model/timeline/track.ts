import type { Instant } from 'dependency-watchdog/domain/time.ts';
import type { LaneSpan, SpanFace, Lanes } from './lanes.ts';
import type { Languages } from 'dependency-watchdog/machines/kinds.ts';
import type { Language } from 'dependency-watchdog/machines/pure-machine.ts';
import { stateLook } from '../states.ts';
import type { ReplayedTurn } from '../replayed-turn.ts';

/** The spans of one lane, as they come to be. Instants never go back. */
export type Track = Readonly<{
  spans: readonly LaneSpan[];
  /** From `at` on it looks so. What looks the same goes on; null ends what was open. */
  show(at: Instant, face: SpanFace | null): void;
  /** What began at `from` has ended: a span whose face is known only now. */
  end(at: Instant, face: SpanFace): void;
}>;

export function track(): Track {
  const spans: LaneSpan[] = [];

  function close(at: Instant): void {
    const last = spans.at(-1);
    if (last === undefined || last.until !== null) return;
    // What had no time to be seen was never so.
    if (at <= last.from) spans.pop();
    else spans[spans.length - 1] = { ...last, until: at };
  }

  return {
    spans,
    show(at, face) {
      const last = spans.at(-1);
      if (face !== null && last?.until === null && isSame(last, face)) return;
      close(at);
      if (face === null) return;
      const before = spans.at(-1);
      if (before !== undefined && before.until === at && isSame(before, face))
        spans[spans.length - 1] = { ...before, until: null };
      else spans.push({ ...face, from: Math.max(at, before?.until ?? at), until: null });
    },
    end(at, face) {
      const last = spans.at(-1);
      if (last?.until !== null) return;
      // An answer in the same instant still is one.
      spans[spans.length - 1] = { ...face, from: last.from, until: Math.max(at, last.from) };
    },
  };
}

function isSame(one: SpanFace, other: SpanFace): boolean {
  return one.label === other.label && one.words === other.words && one.tone === other.tone;
}

/** The spans of requests, each from its command to its answer. */
export type Requests = Readonly<{
  spans: readonly LaneSpan[];
  ask(at: Instant, number: number, face: SpanFace): void;
  /** Whether this answer is waited for; without a number, whether any is. */
  awaits(number?: number): boolean;
  answer(at: Instant, face: SpanFace): void;
  /** No answer is waited for any more. */
  drop(at: Instant): void;
}>;

/** An answer to what was asked before, or before these turns begin, is not waited for. */
export function requests(): Requests {
  const { spans, show, end } = track();
  let asked: number | null = null;
  return {
    spans,
    ask(at, number, face) {
      asked = number;
      show(at, face);
    },
    awaits: (number) => (number === undefined ? asked !== null : asked === number),
    answer(at, face) {
      asked = null;
      end(at, face);
    },
    drop(at) {
      asked = null;
      show(at, null);
    },
  };
}

/** A machine's state as a span. */
export function stateFace(kind: keyof Languages, state: string): SpanFace {
  const { word, meaning, tone } = stateLook(kind, state);
  return { tone, label: word, words: meaning };
}

/** Makes the lanes of one machine, turn by turn, in their order. What `lanes` gave before grows with the next turns. */
export type LanesBuilder<Spoken extends Language> = Readonly<{
  take(replayedTurn: ReplayedTurn<Spoken>): void;
  lanes(): Lanes;
}>;

/** What one kind of machine is told by. */
type LanesOf<Spoken extends Language> = Readonly<{
  take(replayedTurn: ReplayedTurn<Spoken>): void;
  /** Nothing is known from `at` on, because of `face`; null where the machine is no more. */
  stop(at: Instant, face: SpanFace | null): void;
  lanes(): Pick<Lanes, 'first' | 'many' | 'limits'>;
}>;

/** Stops all lanes where turns are missing: what stood before them says nothing of the time between. */
export function lanesBuilder<Spoken extends Language>(of: LanesOf<Spoken>): LanesBuilder<Spoken> {
  let firstAt: Instant | null = null;
  let last: ReplayedTurn<Spoken>['turn'] | undefined;

  return {
    take(replayedTurn) {
      const { turn, gap } = replayedTurn;
      if (last !== undefined && last.run !== turn.run) of.stop(last.at, otherRun);
      else if (last !== undefined && gap) of.stop(last.at, missing);
      of.take(replayedTurn);
      if (turn.event.type === 'ended') of.stop(turn.at, null);
      firstAt ??= turn.at;
      last = turn;
    },
    lanes: () => ({ ...of.lanes(), firstAt, lastAt: last?.at ?? null }),
  };
}

const otherRun: SpanFace = {
  tone: 'unknown',
  label: 'another run',
  words: 'nothing is known: another run of the process begins after it',
};

const missing: SpanFace = { tone: 'unknown', label: 'missing', words: 'turns of this time are missing' };
