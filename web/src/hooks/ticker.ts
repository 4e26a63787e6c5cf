/** The current time, updated at an interval. */
export interface Ticker {
  subscribe(changed: () => void): () => void;
  now(): number;
}

/**
 * Opens a ticker that all components with the same interval share, so that they render together. A long conversation
 * shows hundreds of times.
 */
export function openTicker(everyMs: number): Ticker {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = () => {
    now = Date.now();
    for (const changed of listeners) changed();
  };
  return {
    now: () => now,
    subscribe(changed) {
      listeners.add(changed);
      if (!timer) {
        // The time may be stale if there were no subscribers.
        now = Date.now();
        timer = setInterval(tick, everyMs);
      }
      return () => {
        listeners.delete(changed);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

const tickers = new Map<number, Ticker>();

export function tickerOf(everyMs: number): Ticker {
  const ticker = tickers.get(everyMs) ?? openTicker(everyMs);
  tickers.set(everyMs, ticker);
  return ticker;
}
