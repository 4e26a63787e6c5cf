/** The server's time, as its answers tell it. A browser's own clock may be wrong by days. */
export interface ServerClock {
  /** In milliseconds since 1970. */
  now(): number;
  /** @param date the header of an answer. @param askedAt this machine's time at the request. */
  heard(date: string | null, askedAt: number): void;
}

/** The header has whole seconds, and an answer takes its time: less than this is no difference. */
const toleranceMs = 2_000;
/** An answer that took longer says too little. */
const slowMs = 10_000;

/** @param changed is called with how far the server's clock is ahead of this machine's, in milliseconds, when that has changed. */
export function serverClock(changed: (aheadMs: number) => void = () => undefined): ServerClock {
  let aheadMs = 0;
  return {
    now: () => Math.round(Date.now() + aheadMs),
    heard(date, askedAt) {
      const answeredAt = Date.now();
      const tookMs = answeredAt - askedAt;
      const at = Date.parse(date ?? '');
      if (Number.isNaN(at) || tookMs < 0 || tookMs > slowMs) return;
      const measured = at + 500 - (askedAt + answeredAt) / 2;
      const next = Math.abs(measured) <= toleranceMs + tookMs / 2 ? 0 : measured;
      // Each answer measures it a little differently.
      if (Math.abs(next - aheadMs) <= toleranceMs) return;
      aheadMs = next;
      changed(aheadMs);
    },
  };
}
