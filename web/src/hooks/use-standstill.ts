import { useEffect, useRef } from 'react';
import type { RunAttempts } from 'vigil-client/shared';
import { type Awaited, awaited } from '../rows/awaited';
import { nowIn } from '../state/now';
import { type Shown, useNow, useVigil, useVigilState } from './use-vigil';

/** A run that should be at work, or a timer that is due, and of which nothing has been heard for a while. */
export interface Standstill {
  of: Awaited['what'];
  seconds: number;
  /** The attempts that Step Functions knows; undefined until they are read. */
  known?: RunAttempts;
}

const silentMs = 10_000;

/**
 * Asks what Step Functions knows of the open conversation's run and timers, every ten seconds, while they should be at work and no row changes.
 * Functions that crash, time out or cannot start write no rows.
 */
export function useWatchForStandstill(conversation: Shown | undefined): void {
  const { store, attempts } = useVigil();
  const now = useNow(10_000);
  const sign = useRef({ conversation, at: performance.now() });
  if (sign.current.conversation !== conversation) sign.current = { conversation, at: performance.now() };
  const id = conversation?.id;
  const { what, since } = (conversation && awaited(conversation, now)) ?? {};
  useEffect(() => {
    store.setState({ standstill: undefined });
    if (!id || !what) return;
    let known: RunAttempts | undefined;
    let live = true;
    const timer = setInterval(() => {
      // A timer may have come due long after the last sign.
      const waited = since === undefined ? Number.POSITIVE_INFINITY : nowIn(store.getState()) - since;
      const silent = Math.min(performance.now() - sign.current.at, waited);
      if (silent < silentMs) return;
      const standstill = { id, of: what, seconds: Math.floor(silent / 1_000) };
      store.setState({ standstill: { ...standstill, known } });
      if (document.hidden) return;
      void attempts(id).then(
        (read) => {
          known = read;
          if (live) store.setState({ standstill: { ...standstill, known } });
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
  }, [attempts, conversation, id, what, since, store]);
}

export const useStandstill = (id: string | undefined): Standstill | undefined =>
  useVigilState(({ standstill }) => (standstill && standstill.id === id ? standstill : undefined));
