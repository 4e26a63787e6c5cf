import { type AnswerCallback, seenAnswer } from 'vigil-client/shared';
import { useVigil } from '../hooks/use-vigil';
import { t } from '../languages/catalogue';
import type { Holding } from '../state/held';
import { useHeld } from '../ui/receipt';
import { questionText } from '../words/fields';
import type { AskedProps } from './approval';

/**
 * Answers a callback. A decision can be taken back for a while; an answer in words is sent at once, as messages are.
 *
 * @returns `held`: the answer that was given, while its receipt is shown.
 */
export function useAnswer({ id: conversationId, callback }: Pick<AskedProps, 'id' | 'callback'>) {
  const { held } = useVigil();
  return {
    held: useHeld(callback.id),
    answer(answer: AnswerCallback, amount?: string): void {
      held.begin(...decisionOf({ id: conversationId, callback }, answer, amount), answer.approved === undefined);
    },
  };
}

/** Returns what is to be sent, and what its receipt says. */
export const decisionOf = (
  { id: conversationId, callback }: Pick<AskedProps, 'id' | 'callback'>,
  answer: AnswerCallback,
  amount?: string,
): [wish: Parameters<Holding['begin']>[0], words: Parameters<Holding['begin']>[1]] => [
  { is: 'decide', conversationId, callbackId: callback.id, answer: seenAnswer(callback, answer) },
  { words: answeredWords(answer, amount), about: questionText(callback) },
];

/** Returns what was decided: with the amount, if there is only one. */
function answeredWords({ approved, question, standing }: AnswerCallback, amount?: string): string {
  if (approved === undefined) return t('Answered');
  if (!approved) return question === undefined ? t('Denied') : t('Asked');
  if (amount === undefined) return standing ? t('Approved, and later ones allowed') : t('Approved');
  return standing ? t('Approved {amount}, and later ones allowed', { amount }) : t('Approved {amount}', { amount });
}
