import type { GuardVerdict } from 'vigil-client/shared';
import { t } from '../languages/catalogue';

function lineOf(what: string, by: string): string | undefined {
  switch (what) {
    case 'file replaced':
      return t('The agent reads other words in a file: {by}.', { by });
    case 'file refused':
      return t('A file is withheld from the agent by {by}.', { by });
    case 'input replaced':
      return t('The agent reads other words here: {by}.', { by });
    case 'input refused':
      return t('Withheld from the agent by {by}.', { by });
    case 'output replaced':
      return t('Changed before it was shown: {by}.', { by });
    case 'output refused':
      return t('The reply was withheld by {by}. This is why.', { by });
    case 'call replaced':
      return t('The arguments were changed: {by}.', { by });
    case 'call refused':
      return t('Refused by {by}.', { by });
    case 'call asked':
      return t('Approval asked for by {by}.', { by });
    case 'result replaced':
      return t('The agent reads another result: {by}.', { by });
    case 'result refused':
      return t('The result was withheld from the agent by {by}.', { by });
  }
}

/**
 * Returns what guards have changed, as lines for people. What has passed needs none.
 *
 * @param isReply whether the text is a reply: it is then the reason of a refusal, also of a message before it.
 */
export function guardLines(guards: readonly GuardVerdict[] = [], { isReply = false } = {}): string[] {
  const lines = guards.flatMap(({ guard, at, file, verdict, reason }) => {
    if (isReply && at === 'input') return [t('The message was refused by {by}. This is why.', { by: guard })];
    const by = verdict === 'replaced' && reason ? `${guard} (${reason})` : guard;
    return lineOf(`${file ? 'file' : at} ${verdict}`, by) ?? [];
  });
  // Several files may have the same.
  return [...new Set(lines)];
}
