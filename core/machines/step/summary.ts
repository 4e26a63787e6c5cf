import { ModelRejected, ModelUnreadable } from '../../base/text/errors';
import type { Decision } from '../../conversations/decisions/decide';
import type { SummaryRequest } from '../../conversations/decisions/summary';
import { guardedText } from './guarded';
import type { Received, Stage, Step } from './step';

/** A summary is made in a step of its own, so it is paid for once. The next step finds it in the log. */
export const summary: Stage = {
  async after(step, received) {
    return step.summary && summarised(step, step.summary, received);
  },
};

/** @throws ModelRejected, ModelUnreadable if it cannot be used. */
async function summarised(step: Step, request: SummaryRequest, { reply }: Received): Promise<Decision> {
  const { cutOff, guardrail } = reply;
  const checked = await guardedText(step.loop, step.agent, step.meta, reply.text);
  const { words: text, verdicts, refused = guardrail?.verdict === 'refused' ? guardrail : undefined } = checked;
  if (refused) throw new ModelRejected(`The guard "${refused.guard}" refused the summary: ${refused.reason}`);
  const decision = { kind: 'again' as const, byVigil: true, calls: [], callbacks: [], children: [] };
  // A partial summary would lose facts. There are three attempts, as for any reply.
  if (cutOff) return { ...decision, text: 'A summary was cut off because it was too long.', cutOff };
  // An empty summary would erase everything that it covers.
  if (!text.trim()) throw new ModelUnreadable('The model returned an empty summary.');
  const guards = verdicts.length > 0 ? verdicts : undefined;
  const { covers, sources, recalledFrom } = request;
  return { ...decision, text: text.trim(), covers, sources, recalledFrom, guards };
}
