import type { Instant, Millis } from '../../domain/time.ts';

/** Prometheus asks every 15 to 60 s; whoever asks more often than this gets what was rendered last. */
const leastPause: Millis = 1_000;

/**
 * One rendering at a time, which all who ask meanwhile share, and at most one a second (SPEC 9.2): a rendering stops the
 * event loop for some milliseconds, and anybody who reaches the address can ask as often as they like. One that failed is not kept.
 */
export function sharedRendering(
  clock: Readonly<{ now(): Instant }>,
  render: () => Promise<string>,
): () => Promise<string> {
  let last: Readonly<{ at: Instant; text: Promise<string> }> | undefined;
  let rendering = false;

  return () => {
    const age = last === undefined ? Infinity : clock.now() - last.at;
    // A clock that was set back must not keep the old text alive.
    if (last !== undefined && (rendering || (age >= 0 && age < leastPause))) return last.text;
    rendering = true;
    const text = render().finally(() => (rendering = false));
    const begun = { at: clock.now(), text };
    last = begun;
    text.catch(() => {
      if (last === begun) last = undefined;
    });
    return text;
  };
}
