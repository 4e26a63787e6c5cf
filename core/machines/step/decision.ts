import { types } from 'node:util';
import { readOutsideJson } from '../../base/json/foreign-json';
import { noUsage } from '../../base/state/schemas';
import { ConfigurationError, ModelRejected, ModelUnreadable } from '../../base/text/errors';
import { asError } from '../../base/text/thrown';
import type { Agent, Proposal } from '../../conversations/agent/agent';
import { type Decision, decide } from '../../conversations/decisions/decide';
import { whatIsRead } from '../../conversations/decisions/provenance';
import { readableIn } from '../../conversations/decisions/read-on';
import { givenIn } from '../loop/given';
import { itemsOf } from './ask-model';
import { guardedText } from './guarded';
import type { Received, Stage, Step } from './step';

/** Builds a reply from the scheduled calls. */
export function scheduledReply({ log: { messages }, draft: { scheduled = [] } }: Step): Received {
  const due = messages.filter(({ seq }) => scheduled.includes(seq)).flatMap((message) => message.scheduled ?? []);
  const toolCalls = due.map(({ tool: name, arguments: args }) => ({ id: '', name, arguments: args }));
  return { reply: { text: '', toolCalls }, usage: noUsage, aboutFiles: [] };
}

/** Decides what follows from a reply, after the agent's review of it. */
export async function decisionOf(step: Step, received: Received): Promise<Decision> {
  const { loop, at, agent, draft, meta, log, recalled } = step;
  const { reply, guards, objections, kept } = received;
  const calls = reply.toolCalls.map(({ name: tool, arguments: text }) => ({ tool, arguments: readable(text) }));
  const proposal = { text: reply.text, calls, user: meta.owner, items: itemsOf(step) };
  const reviewed = await refusedBy(agent, proposal);
  const askedBy = meta.run?.askedBy ? ['member' as const] : [];
  const decision = decide(agent, reply, {
    runId: at.runId,
    step: at.step,
    now: loop.now(),
    user: meta.owner,
    timeZone: meta.timeZone,
    given: givenIn(meta),
    knownIds: new Set(log.calls.map(({ modelCallId }) => modelCallId)),
    readable: readableIn(log.calls, step.request.items),
    failed: loop.failed,
    objections: withReview(objections, reviewed),
    depth: meta.parent?.depth,
    maker: loop.model.about(agent).maker,
    misfits: meta.run?.misfits,
    read: whatIsRead(log, draft.seq, [...(recalled?.sources ?? []), ...askedBy]),
    taker: steppedIn(step),
    kept,
  });
  return { ...decision, guards };
}

/** Returns who has stepped in, if the scheduled call is that of a person. */
const steppedIn = ({
  log: { messages },
  draft: { scheduled = [] },
}: Step): { user: string; name?: string } | undefined =>
  messages.flatMap(({ seq, role, author, authorName }) =>
    role === 'user' && scheduled.includes(seq) ? [{ user: author, name: authorName }] : [],
  )[0];

/**
 * Returns the calls that the agent's review refuses, by index.
 *
 * @throws ConfigurationError if the review returns anything else: what it meant to refuse would be made.
 */
export async function refusedBy({ name, review }: Agent, proposal: Proposal): Promise<ReadonlyMap<number, string>> {
  if (!review) return new Map();
  const refused: unknown = await (async () => review(proposal))().catch((thrown) => {
    throw asError(thrown);
  });
  const isOfCall = ([index, reason]: [unknown, unknown]) =>
    Number.isInteger(index) && Object.hasOwn(proposal.calls, index as number) && typeof reason === 'string';
  if (types.isMap(refused) && [...refused].every(isOfCall)) return refused as Map<number, string>;
  throw new ConfigurationError(
    `agent ${name}: review: the function must return a Map of the calls that it refuses, by index from 0, with the reason`,
  );
}

/** A review is a guard of calls that sees the whole reply. What it refuses is refused, whatever the guards say. */
function withReview(objections: Received['objections'], reviewed: ReadonlyMap<number, string>) {
  const all = new Map(objections);
  for (const [index, reason] of reviewed) {
    const { guards = [], ...objection } = all.get(index) ?? {};
    const verdict = { guard: 'review', at: 'call' as const, verdict: 'refused' as const, reason };
    all.set(index, { ...objection, guards: [...guards, verdict], refused: reason });
  }
  return all;
}

/** Parses a call's arguments for the review. Unreadable ones stay text. */
function readable(text: string): unknown {
  try {
    return readOutsideJson(text || '{}', 'arguments');
  } catch {
    return text;
  }
}

/**
 * A summary is made in a step of its own, so it is paid for once. The next step finds it in the log. One that cannot be used fails as a reply
 * of its model.
 */
export const summary: Stage = {
  async after({ loop, agent, meta, summary: request }, { reply: { text: said, cutOff, guardrail } }) {
    if (!request) return undefined;
    const checked = await guardedText(loop, agent, meta, said);
    const { words: text, verdicts, refused = guardrail?.verdict === 'refused' ? guardrail : undefined } = checked;
    if (refused) throw new ModelRejected(`The guard "${refused.guard}" refused the summary: ${refused.reason}`);
    const decision = { kind: 'again' as const, byVigil: true, calls: [], callbacks: [], children: [] };
    // A partial summary would lose facts. There are three attempts, as for any reply.
    if (cutOff) return { ...decision, text: 'A summary was cut off because it was too long.', cutOff };
    // An empty summary would erase everything that it covers.
    if (!text.trim()) throw new ModelUnreadable('The model returned an empty summary.');
    const { covers, sources, recalledFrom } = request;
    const guards = verdicts.length > 0 ? verdicts : undefined;
    return { ...decision, text: text.trim(), covers, sources, recalledFrom, guards };
  },
};
