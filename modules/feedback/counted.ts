import { Message } from '../../core/base/state/schemas';
import { key } from '../../core/conversations/rows/keys';
import type { RowChange } from '../../core/people/live/broadcast';
import type { Counted } from '../../core/people/live/counted';

/** Verdicts, by the agent, its version and the model of the reply. The reason is a person's words, and is in no log. */
export function feedbackIn({ conversationId, sk, row, before }: RowChange): Counted[] {
  if (!sk.startsWith(key.messages)) return [];
  if (!hasFeedback(row) && !hasFeedback(before)) return [];
  const { seq, author, runId, step, model, agentVersion, ...is } = Message.parse(row);
  const was = before && Message.parse(before);
  const more = (verdict: 'up' | 'down') => verdicts(is.feedback, verdict) - verdicts(was?.feedback, verdict);
  const [up, down] = [more('up'), more('down')];
  const values = { ...(up !== 0 && { ThumbsUp: up }), ...(down !== 0 && { ThumbsDown: down }) };
  if (Object.keys(values).length === 0) return [];
  const ids = { conversationId, runId, step, seq, model, agentVersion };
  return [{ what: 'feedback', values, dimensions: { Agent: author }, ids }];
}

const hasFeedback = (row: object = {}): boolean => Object.hasOwn(row, 'feedback');

const verdicts = (feedback: Message['feedback'] = [], wanted: 'up' | 'down'): number =>
  feedback.filter(({ verdict }) => verdict === wanted).length;
