import type { Message } from '../../../core/state/schemas';

/** The step that took a message up, and whose it was. */
export interface TakenUp {
  runId: string;
  step: number;
  agent: string;
}

/**
 * The messages that can be said otherwise, by their numbers: forked at the step that took one up, with another text, the conversation
 * goes on as if that had been said. A fork leaves out what was said last before the step, so of several that one step took up
 * it is the last, and one whose answer was cut off by another message is none.
 */
export function takenUp(messages: readonly Message[]): ReadonlyMap<number, TakenUp> {
  const replies = messages.filter(
    ({ role, callId, covers }) => role === 'assistant' && !callId && covers === undefined,
  );
  const lastOfStep = new Map(replies.map((reply) => [stepOf(reply), reply.seq]));
  const said = messages
    .filter(({ role, callId, status }) => role === 'user' && callId === undefined && status !== 'pending')
    .sort((a, b) => placeOf(a) - placeOf(b) || a.seq - b.seq);
  const found = new Map<number, TakenUp>();
  let next = 0;
  said.forEach((message, index) => {
    while (next < replies.length && replies[next]!.seq < placeOf(message)) next++;
    const reply = replies[next];
    // A stop closed it before anybody took it up.
    if (message.readBySeq === undefined || !reply?.runId || !reply.step) return;
    const after = said[index + 1];
    if (after && placeOf(after) < lastOfStep.get(stepOf(reply))!) return;
    found.set(message.seq, { runId: reply.runId, step: reply.step, agent: reply.author });
  });
  return found;
}

const stepOf = ({ runId, step }: Message): string => `${runId} ${step}`;

/** As the model reads it: right before the reply that took it up. */
const placeOf = ({ seq, readBySeq }: Message): number => (readBySeq === undefined ? seq : readBySeq - 0.5);
