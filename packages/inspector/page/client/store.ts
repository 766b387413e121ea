import { useEffect, useRef, useState } from 'preact/hooks';

/** A value that others can listen to. */
export type Store<State> = Readonly<{
  get(): State;
  set(next: State): void;
  /** Calls after each change, until what it returns is called. */
  subscribe(heard: () => void): () => void;
}>;

export function createStore<State>(first: State): Store<State> {
  let state = first;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(next) {
      if (Object.is(next, state)) return;
      state = next;
      for (const heard of listeners) heard();
    },
    subscribe(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };
}

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
