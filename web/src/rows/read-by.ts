import type { Message } from 'vigil-client';

/** The step that read a message, and its agent. */
export interface ReadBy {
  runId: string;
  step: number;
  agent: string;
}

/**
 * Returns the messages that can be replaced, by their seq. A fork at the step that read a message replaces it with
 * another text. The fork replaces the last message before the step, so of several messages that one step read only the
 * last qualifies, and a message whose reply was interrupted by another message does not.
 */
export function readBy(messages: readonly Message[]): ReadonlyMap<number, ReadBy> {
  const replies = messages.filter(
    ({ role, callId, covers }) => role === 'assistant' && !callId && covers === undefined,
  );
  const lastOfStep = new Map(replies.map((reply) => [stepOf(reply), reply.seq]));
  const said = messages
    .filter(({ role, callId, status }) => role === 'user' && callId === undefined && status !== 'pending')
    .sort((a, b) => placeOf(a) - placeOf(b) || a.seq - b.seq);
  const found = new Map<number, ReadBy>();
  let next = 0;
  said.forEach((message, index) => {
    while (next < replies.length && replies[next]!.seq < placeOf(message)) next++;
    const reply = replies[next];
    // A stop closed the message before it was read.
    if (message.readBySeq === undefined || !reply?.runId || !reply.step) return;
    const after = said[index + 1];
    if (after && placeOf(after) < lastOfStep.get(stepOf(reply))!) return;
    found.set(message.seq, { runId: reply.runId, step: reply.step, agent: reply.author });
  });
  return found;
}

const stepOf = ({ runId, step }: Message): string => `${runId} ${step}`;

/** The message's place for the model: right before the reply that read it. */
const placeOf = ({ seq, readBySeq }: Message): number => (readBySeq === undefined ? seq : readBySeq - 0.5);
