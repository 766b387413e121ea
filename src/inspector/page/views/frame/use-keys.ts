import { useEffect, useRef } from 'preact/hooks';
import { isTyping } from './typing.ts';

/** What each key does on the page; a key that is not named does what it always does. */
export type Keys = Readonly<Record<string, () => void>>;

/** Listens to keys as long as the component is there, wherever the focus is, but in fields. Names are those of `KeyboardEvent.key`. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTyping(event) || !Object.hasOwn(latest.current, event.key)) return;
      event.preventDefault();
      latest.current[event.key]?.();
    };
    addEventListener('keydown', heard);
    return () => removeEventListener('keydown', heard);
  }, []);
}
