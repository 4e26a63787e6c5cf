// core/conversations/approvals: what a person decides, who may decide it, and standing approvals.

import { createHash } from 'node:crypto';
import { type Decided, decisionLines, oneLine, seen } from 'vigil-client/shared';

/** A notification's text is at most as long as all common devices show it. */
export const shownCharacters = 300;

/**
 * Returns the decision as a notification shows it, with the digest that an approval from there must have. Undefined if the notification
 * would not show all of it, or if it is a form, which is not filled in there: then nobody can approve from one.
 */
export function wholeDecision(decided: Decided): { text: string; digest: string } | undefined {
  if (decided.asker || oneLine(wordsOf(decided)) !== seen(wordsOf(decided))) return undefined;
  const text = decisionLines(decided).join(' · ');
  if (text.length > shownCharacters) return undefined;
  return { text, digest: createHash('sha256').update(`${decided.id}\n${text}`).digest('base64url') };
}

/** Returns the words of the question. Its values are drawn so that all of them is seen. */
const wordsOf = ({ prompt, sentence }: Decided): string =>
  sentence?.map((part) => ('text' in part ? part.text : '')).join('') ?? prompt;
