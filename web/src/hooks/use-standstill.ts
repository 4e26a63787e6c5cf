import { useEffect, useRef } from 'react';
import type { RunAttempts } from '../../../core/reconcile/attempts';
import { type Shown, useNow, useVigil, useVigilState } from './use-vigil';

/** A run that should be at work, and of which nothing has been heard for a while. */
export interface Standstill {
  seconds: number;
  /** What Step Functions knows; undefined until it is read. */
  known?: RunAttempts;
}

const silentMs = 10_000;

/**
 * Asks what Step Functions knows of the open conversation's run, every ten seconds, while it should be at work and no row of it changes.
 * Functions that crash, time out or cannot start write no rows.
 */
export function useWatchForStandstill(conversation: Shown | undefined): void {
  const { store, attempts } = useVigil();
  const now = useNow(10_000);
  const sign = useRef({ conversation, at: performance.now() });
  if (sign.current.conversation !== conversation) sign.current = { conversation, at: performance.now() };
  const { id, run } = conversation ?? {};
  const isAtWork =
    run?.status === 'running' ||
    run?.status === 'cancelling' ||
    (run?.status === 'sleeping' && run.until !== undefined && Date.parse(run.until) < now);
  useEffect(() => {
    store.setState({ standstill: undefined });
    if (!id || !isAtWork) return;
    let known: RunAttempts | undefined;
    let live = true;
    const timer = setInterval(() => {
      const silent = performance.now() - sign.current.at;
      if (silent < silentMs) return;
      store.setState({ standstill: { id, seconds: Math.floor(silent / 1_000), known } });
      if (document.hidden) return;
      void attempts(id).then(
        (read) => {
          known = read;
          if (live) store.setState({ standstill: { id, seconds: Math.floor(silent / 1_000), known } });
        },
        // The next question may be answered.
        () => undefined,
      );
    }, silentMs / 2);
    return () => {
      live = false;
      clearInterval(timer);
      store.setState({ standstill: undefined });
    };
  }, [attempts, conversation, id, isAtWork, store]);
}

export const useStandstill = (id: string | undefined): Standstill | undefined =>
  useVigilState(({ standstill }) => (standstill && standstill.id === id ? standstill : undefined));
