import { useEffect, useRef, useState } from 'preact/hooks';
import type { Store } from './store.ts';

/** A part of a store; whoever asks for it is drawn again only when that part changes. */
export function useStore<State, Part = State>(
  store: Store<State>,
  part: (state: State) => Part = (state) => state as unknown as Part,
): Part {
  const value = part(store.get());
  const shown = useRef({ part, value });
  shown.current = { part, value };
  const [, redraw] = useState({});
  useEffect(() => {
    const heard = () => {
      if (!Object.is(shown.current.part(store.get()), shown.current.value)) redraw({});
    };
    heard();
    return store.subscribe(heard);
  }, [store]);
  return value;
}
