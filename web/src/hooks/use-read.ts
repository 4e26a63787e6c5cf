import { useCallback, useEffect, useRef, useState } from 'react';
import { untilAnswered } from 'vigil-client/shared';
import type { Reading } from '../state/vigil-state';
import { wordsOf } from '../words/problem-words';

/**
 * Reads the content of a dialog when it opens. What may pass, such as a lost connection, is shown, and it is read again after a pause.
 * @param read The same function in each rendering.
 */
export function useRead<Value>(read: () => Promise<Value>) {
  const [value, setValue] = useState<Value>();
  const [reading, setReading] = useState<Reading>({ is: 'loading' });
  const current = useRef<AbortController>(undefined);
  const again = useCallback(() => {
    current.current?.abort();
    const stop = new AbortController();
    current.current = stop;
    const show = (next: Reading) => !stop.signal.aborted && setReading(next);
    const attempt = () =>
      read().catch((error: unknown) => {
        show({ is: 'failed', problem: wordsOf(error) });
        throw error;
      });
    show({ is: 'loading' });
    untilAnswered(attempt, stop.signal).then(
      (answer) => {
        if (stop.signal.aborted) return;
        setValue(answer);
        show({ is: 'ready' });
      },
      () => undefined,
    );
  }, [read]);
  useEffect(() => {
    again();
    return () => current.current?.abort();
  }, [again]);
  return { value, setValue, reading, again };
}
