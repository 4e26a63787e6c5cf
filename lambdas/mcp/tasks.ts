import type { Task } from '@modelcontextprotocol/sdk/types.js';
import type { Conversation } from '../../core/base/state/schemas';
import type { Place } from './talk';

/**
 * A task is a message and the agent's turn that follows from it: nothing is stored for it, and nothing expires. It ends when the run
 * ends, when the agent asks its user, or when somebody sends another message.
 */
export const taskId = ({ conversation, seq }: Place): string => `${conversation}.${seq}`;

/** Returns undefined for what is no task's id. */
export function placeOf(id: string): Place | undefined {
  const [, conversation, seq] = /^([\w-]{1,64})\.([1-9]\d{0,8})$/.exec(id) ?? [];
  return conversation === undefined ? undefined : { conversation, seq: Number(seq) };
}

/**
 * @param shown the conversation from the task's message on.
 * @returns undefined if there is no such message of the user.
 */
export function taskOf(shown: Conversation, { seq }: Place, now: Date): Task | undefined {
  const [message, ...later] = shown.messages;
  if (message?.seq !== seq || message.role !== 'user') return undefined;
  return {
    taskId: taskId({ conversation: shown.id, seq }),
    ...stateOf(shown, message, later),
    createdAt: message.createdAt,
    lastUpdatedAt: shown.updatedAt,
    ttl: null,
    pollInterval: pollMs(shown, now),
  };
}

type Messages = Conversation['messages'];

function stateOf(
  shown: Conversation,
  message: Messages[number],
  later: Messages,
): Pick<Task, 'status' | 'statusMessage'> {
  const { run, status, callbacks } = shown;
  const asked = callbacks.some(
    ({ kind, createdAt }) => kind === 'question' && createdAt !== undefined && createdAt >= message.createdAt,
  );
  const answeredBy = later.find(({ runId }) => runId !== undefined)?.runId;
  const isReplaced = later.some(({ role }) => role === 'user') || (answeredBy !== undefined && answeredBy !== run?.id);
  if (asked || isReplaced || status === 'done') return { status: 'completed' };
  switch (status) {
    case 'failed':
    case 'limited':
      return { status: 'failed', statusMessage: run?.reason };
    case 'cancelling':
    case 'cancelled':
      return { status: 'cancelled', statusMessage: run?.reason };
    case 'sleeping':
      return { status: 'working', statusMessage: `Sleeps until ${shown.until}` };
    case 'waiting':
      return { status: 'working', statusMessage: waitsFor(shown) };
    default:
      return { status: 'working' };
  }
}

function waitsFor({ callbacks, waitsFor: whom }: Conversation): string {
  const approval = callbacks.find(({ kind, status }) => kind === 'approval' && status === 'pending');
  return approval
    ? `Waits for a person’s approval of ${approval.tool}`
    : `Waits for ${whom === 'person' ? 'a person who takes over' : (whom ?? 'somebody')}`;
}

/** A run at work is looked at soon, one that sleeps or waits for people once a minute at most. */
function pollMs({ status, until }: Conversation, now: Date): number {
  if (status === 'sleeping' && until)
    return Math.min(60_000, Math.max(1_000, new Date(until).getTime() - now.getTime()));
  return status === 'waiting' ? 10_000 : 2_000;
}
