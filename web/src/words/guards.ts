import type { GuardVerdict } from 'vigil-client/shared';

const words: Record<string, (by: string) => string> = {
  'input replaced': (by) => `The agent reads other words here: ${by}.`,
  'input refused': (by) => `Withheld from the agent by ${by}.`,
  'output replaced': (by) => `Changed before it was shown: ${by}.`,
  'output refused': (by) => `The reply was withheld by ${by}. This is why.`,
  'call replaced': (by) => `The arguments were changed: ${by}.`,
  'call refused': (by) => `Refused by ${by}.`,
  'call asked': (by) => `Approval asked for by ${by}.`,
  'result replaced': (by) => `The agent reads another result: ${by}.`,
  'result refused': (by) => `The result was withheld from the agent by ${by}.`,
};

/**
 * Returns what guards have changed, as lines for people. What has passed needs none.
 *
 * @param isReply whether the text is a reply: it is then the reason of a refusal, also of a message before it.
 */
export function guardLines(guards: readonly GuardVerdict[] = [], { isReply = false } = {}): string[] {
  return guards.flatMap(({ guard, at, verdict, reason }) => {
    if (isReply && at === 'input') return [`The message was refused by ${guard}. This is why.`];
    const by = verdict === 'replaced' && reason ? `${guard} (${reason})` : guard;
    const drawn = words[`${at} ${verdict}`];
    return drawn ? [drawn(by)] : [];
  });
}
