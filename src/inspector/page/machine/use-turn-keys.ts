import { useEffect, useRef } from 'preact/hooks';

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
