import { useCallback, useEffect, useState } from 'react';
import type { Reading } from '../state/vigil-state';
import { wordsOf } from '../words/problem-words';

/**
 * Reads the content of a dialog when it opens.
 * @param read The same function in each rendering.
 */
export function useRead<Value>(read: () => Promise<Value>) {
  const [value, setValue] = useState<Value>();
  const [reading, setReading] = useState<Reading>({ is: 'loading' });
  const again = useCallback(() => {
    setReading({ is: 'loading' });
    read().then(
      (answer) => {
        setValue(answer);
        setReading({ is: 'ready' });
      },
      (error: unknown) => setReading({ is: 'failed', problem: wordsOf(error) }),
    );
  }, [read]);
  useEffect(again, [again]);
  return { value, setValue, reading, again };
}
