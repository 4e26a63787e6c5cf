/** The time, looked at so often. */
export interface Ticker {
  subscribe(changed: () => void): () => void;
  now(): number;
}

/** One timer for all who look as often, so that they are drawn together: a long conversation has hundreds of times in it. */
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
        // Nobody has looked for a while.
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
