import { key } from '../../conversations/rows/keys';
import { isHandedOver } from '../../conversations/rows/owned';
import { ifReadable, parsedAs } from '../../conversations/rows/readable';
import { StoredMessage } from '../../conversations/rows/rows';
import type { RowChange } from '../live/broadcast';
import { saidWords } from './said-words';

/** What is to be embedded: a message whose words have changed, or all of a conversation: a fork that is complete, or one with another owner. */
export interface SaidChange {
  conversationId: string;
  seq?: number;
}

/** Returns what a change has said, or unsaid. */
export function saidBy({ conversationId, sk, row, before }: RowChange): SaidChange | undefined {
  if (sk === key.meta) {
    const isCopied = before !== undefined && Object.hasOwn(before, 'forking') && !Object.hasOwn(row, 'forking');
    return isCopied || isHandedOver(row, before) ? { conversationId } : undefined;
  }
  // While a fork is copied, it is nobody's.
  if (!sk.startsWith(key.messages) || (!before && Object.hasOwn(row, 'copiedFrom'))) return undefined;
  const message = parsedAs(StoredMessage, row);
  const was = ifReadable(StoredMessage, before);
  const isSame = saidWords(message) === (was && saidWords(was));
  return isSame ? undefined : { conversationId, seq: message.seq };
}
