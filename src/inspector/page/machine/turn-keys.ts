import { useEffect, useRef, useState } from 'preact/hooks';
import type { Millis } from '../../../domain/time.ts';
import { after } from '../browser-clock.ts';

/** What the keys do, by their names; with `Shift+` before it where that is held. */
export type TurnKeys = Readonly<Record<string, () => void>>;

/** Keys that work on the time axis and the list of turns, and wherever nothing else has the focus. */
export function useTurnKeys(keys: TurnKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
      const { target } = event;
      const isOurs = target instanceof Element && target.closest('[data-turn-keys]') !== null;
      const isNobodys = target === document.body || (target instanceof Element && target.id === 'view');
      if (!isOurs && !isNobodys) return;
      const name = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
      const does = latest.current[name];
      if (does === undefined) return;
      event.preventDefault();
      does();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}

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
