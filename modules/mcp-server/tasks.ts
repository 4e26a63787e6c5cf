import { asksFor } from 'vigil-client/shared';
import type { Conversation } from '../../core/base/state/schemas';
import type { Place } from './talk';
import { openQuestion } from './turn';

/** A task of the extension `io.modelcontextprotocol/tasks`. A run that fails is a result with `isError`. */
export interface Task {
  taskId: string;
  status: 'working' | 'input_required' | 'completed' | 'cancelled';
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  /** It never expires. */
  ttlMs: null;
  pollIntervalMs: number;
}

/** A task is a message and the run that it began or came to, up to the run's end. Nothing is stored for it, and nothing expires. */
export const taskId = ({ conversation, seq }: Place): string => `${conversation}.${seq}`;

/** Returns undefined for what is no task's id. */
export function placeOf(id: string): Place | undefined {
  const [, conversation, seq] = /^([\w-]{1,64})\.([1-9]\d{0,8})$/.exec(id) ?? [];
  return conversation === undefined ? undefined : { conversation, seq: Number(seq) };
}

/** The conversation must have been read from the task's message on. */
export function taskOf(shown: Conversation, place: Place, now: Date): Task {
  const createdAt = shown.messages.find(({ seq }) => seq === place.seq)?.createdAt ?? shown.updatedAt;
  return {
    taskId: taskId(place),
    ...stateOf(shown, place),
    createdAt,
    lastUpdatedAt: shown.updatedAt,
    ttlMs: null,
    pollIntervalMs: pollMs(shown, now),
  };
}

function stateOf(shown: Conversation, place: Place): Pick<Task, 'status' | 'statusMessage'> {
  if (isOver(shown, place)) {
    const isCancelled = isOfRun(shown, place) && /^cancell(ing|ed)$/.test(shown.status);
    if (isCancelled) return { status: 'cancelled', statusMessage: shown.run?.reason };
    return { status: isDropped(shown, place) ? 'cancelled' : 'completed' };
  }
  if (openQuestion(shown, place)) return { status: 'input_required' };
  if (shown.status === 'sleeping') return { status: 'working', statusMessage: `Sleeps until ${shown.until}` };
  return { status: 'working', ...(shown.status === 'waiting' && { statusMessage: waitsFor(shown) }) };
}

/** Whether the run that a message is for has ended. The answer to a question belongs to the run that has asked. */
export const isOver = (shown: Conversation, place: Place): boolean =>
  isDropped(shown, place) || !isOfRun(shown, place) || !/^(running|waiting|sleeping)$/.test(shown.status);

/** Whether a run was cancelled before it had read its message. */
function isDropped({ messages }: Conversation, { seq }: Place): boolean {
  const { status, readBySeq, callId } = messages.find((message) => message.seq === seq) ?? {};
  return status === 'complete' && readBySeq === undefined && callId === undefined;
}

/** Whether the conversation's run is the one that a message began, or came to. */
function isOfRun({ messages, run }: Conversation, { seq }: Place): boolean {
  const answeredBy = messages.find((message) => message.seq > seq && message.runId !== undefined)?.runId;
  return answeredBy === undefined || answeredBy === run?.id;
}

function waitsFor({ callbacks, waitsFor: whom }: Conversation): string {
  const approval = callbacks.find(({ kind, status }) => asksFor(kind, 'decision') && status === 'pending');
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
