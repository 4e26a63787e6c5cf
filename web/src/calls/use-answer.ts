import { useState } from 'react';
import { useVigil } from '../hooks/use-vigil';
import type { AskedProps } from './approval';

type Answer = Parameters<ReturnType<typeof useVigil>['act']['answer']>[2];

/**
 * Answers a callback, and tracks the request's progress and problem.
 *
 * @param taken called when the answer is stored, to discard the draft.
 */
export function useAnswer(
  { id, callback, decided, elsewhere }: Omit<AskedProps, 'answersRefused' | 'owner'>,
  taken: () => void,
) {
  const { act } = useVigil();
  const store = elsewhere ? act.decide : act.answer;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function answer(body: Answer): Promise<void> {
    setBusy(true);
    const wrong = await store(id, callback, body);
    setBusy(false);
    setProblem(wrong);
    if (wrong) return;
    taken();
    decided();
  }
  return { busy, problem, answer };
}
