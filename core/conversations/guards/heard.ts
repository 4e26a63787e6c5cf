import type { GuardVerdict } from '../../base/schemas/guard-verdict';
import type { CallWithResult } from '../decisions/transcript';
import type { StoredMessage } from '../rows/rows';

/** A message as models read it: with the words that have replaced its own. One that is withheld is a note. */
export function messageAsHeard(message: StoredMessage): StoredMessage {
  if (message.heard === undefined) return message;
  const role = isWithheld(message.guards, 'input') ? 'system' : message.role;
  return { ...message, role, text: message.heard };
}

/** A call as models read it: with the words that have replaced its result or error. */
export function callAsHeard(call: CallWithResult): CallWithResult {
  const { wholeResult: _, ...rest } = call;
  const text = call.heard?.of === call.status ? call.heard.text : undefined;
  if (text === undefined) return call;
  return call.status === 'completed' ? { ...rest, result: text } : { ...rest, error: text };
}

/** Whether a guard has refused the words at a place. */
export const isWithheld = (guards: readonly GuardVerdict[] | undefined, at: GuardVerdict['at']): boolean =>
  guards?.some((one) => one.at === at && one.verdict === 'refused') ?? false;
