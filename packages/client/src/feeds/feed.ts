/** A state that changes by itself while somebody listens, as React's `useSyncExternalStore` takes it. */
export interface Feed<State> {
  /** The same object until something changes. */
  getSnapshot(): State;
  /**
   * Keeps the state up to date until the returned function is called.
   *
   * @throws Error if there is no WebSocket.
   */
  subscribe(listener: () => void): () => void;
}

/** `gone`: deleted, or another user's. */
export type Status = 'loading' | 'ready' | 'failed' | 'gone';

/** @param begin is called for the first listener, and what it returns after the last one. */
export function newFeed<State extends { status: Status; error?: Error }>(first: State, begin: () => () => void) {
  let state = first;
  let end: (() => void) | undefined;
  const listeners = new Set<() => void>();
  function change(by: Partial<State>): void {
    const names = Object.keys(by) as (keyof State)[];
    if (names.every((name) => Object.is(by[name], state[name]))) return;
    state = { ...state, ...by };
    for (const listener of [...listeners]) listener();
  }
  return {
    getSnapshot: () => state,
    isFollowed: () => listeners.size > 0,
    change,
    /** A read has failed. What is known stays, and the next read updates it. */
    failed(error: unknown): void {
      if (state.status !== 'ready' && state.status !== 'gone') change({ status: 'failed', error } as Partial<State>);
    },
    subscribe(listener: () => void): () => void {
      end ??= begin();
      const own = () => listener();
      listeners.add(own);
      return () => {
        if (!listeners.delete(own) || listeners.size > 0) return;
        end?.();
        end = undefined;
      };
    },
  };
}
