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
