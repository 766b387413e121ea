import type { Instant, Millis } from '../../domain/time.ts';

/** Prometheus asks every 15 to 60 s. Who asks more often than this gets the last rendering. */
const leastPause: Millis = 1_000;

/**
 * Renders once at a time, for all who ask meanwhile, and at most once a second (SPEC 9.2): a rendering stops the event
 * loop for some milliseconds, and anybody who reaches the address can ask at will. A failed rendering is not shared.
 */
export function sharedRendering(
  clock: Readonly<{ now(): Instant }>,
  render: () => Promise<string>,
): () => Promise<string> {
  let last: Readonly<{ at: Instant; text: Promise<string> }> | undefined;
  let rendering = false;

  return () => {
    const age = last === undefined ? Infinity : clock.now() - last.at;
    // Where the clock was set back, the old text must not stay for long.
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
