import { useEffect, useRef } from 'preact/hooks';

/** What each key does, by its name in `KeyboardEvent.key`; of arrows with `Shift+` before it where that is held. Other keys do what they always do. */
export type Keys = Readonly<Record<string, () => void>>;

/** Listens to keys as long as the component is there, wherever they are its own. */
export function useKeys(keys: Keys, areOwn: (event: KeyboardEvent) => boolean = areOfPage): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !areOwn(event)) return;
      const shifted = event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key;
      const name = Object.hasOwn(latest.current, shifted) ? shifted : event.key;
      if (!Object.hasOwn(latest.current, name)) return;
      event.preventDefault();
      latest.current[name]?.();
    };
    addEventListener('keydown', heard);
    return () => removeEventListener('keydown', heard);
  }, []);
}

/** Wherever the focus is, but in what has keys of its own: a field that is typed into, a dialog that is open, a link that is entered. */
function areOfPage({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null) return false;
  if (!(target instanceof Element)) return true;
  return (
    target.closest(key === 'Enter' ? 'input, textarea, select, a, button, summary' : 'input, textarea, select') === null
  );
}

/** On the time axis and the list of turns, and wherever nothing else has the focus. */
export function areOfTurns({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  return target === document.body || target.id === 'view' || target.closest('[data-turn-keys]') !== null;
}
