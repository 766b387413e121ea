import { useEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

/** A part of a store; whoever asks for it is drawn again only when that part changes. `part` has to be the same function each time. */
export function useStore<State, Part>(store: Store<State>, part: (state: State) => Part): Part {
  const [value, setValue] = useState(() => part(store.get()));
  useEffect(() => {
    const heard = () => setValue(() => part(store.get()));
    heard();
    return store.subscribe(heard);
  }, [store, part]);
  return value;
}
