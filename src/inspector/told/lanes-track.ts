import type { Instant } from '../../domain/time.ts';
import type { LaneSpan, SpanFace } from './lanes.ts';

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
