import { useEffect, useRef, useState } from 'preact/hooks';
import type { Millis } from '../../../domain/time.ts';
import { after } from '../browser-clock.ts';

/** So long each turn is shown: its words can be read. */
const stepLength: Millis = 700;

/** Whoever asked for less motion has more time between two pictures. */
const calmStepLength: Millis = 2_000;

/** Calls `step` again and again until it answers false, or somebody does anything. */
export function usePlay(step: () => boolean): readonly [playing: boolean, toggle: () => void] {
  const [played, setPlayed] = useState<number | null>(null);
  const latest = useRef(step);
  latest.current = step;
  useEffect(() => {
    if (played === null) return undefined;
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    return after(calm ? calmStepLength : stepLength, () => setPlayed(latest.current() ? played + 1 : null));
  }, [played]);
  useEffect(() => {
    if (played === null) return undefined;
    const stop = (event: Event) => {
      // The button, and its key, stop it by themselves.
      const isToggle = event.target instanceof Element && event.target.closest('[data-play]') !== null;
      const isSpace = event instanceof KeyboardEvent && event.key === ' ';
      if (!isToggle && !isSpace) setPlayed(null);
    };
    const names = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const name of names) addEventListener(name, stop, { capture: true });
    return () => {
      for (const name of names) removeEventListener(name, stop, { capture: true });
    };
  }, [played === null]);
  return [played !== null, () => setPlayed((now) => (now === null ? 0 : null))];
}
