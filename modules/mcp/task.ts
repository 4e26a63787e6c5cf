import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { isJsonObject } from '../../core/base/json/json-object';
import type { ServerAnswer, ServerRound, ServerWorks } from '../../core/base/state/isolated-call';
import { AsksUser, ResultLost, ServerWorking } from '../../core/base/text/errors';
import type { Session } from './connection';
import { AnyResult } from './result';
import { continuation, roundIn, unanswered } from './rounds';

// A server may answer a call with a task (`io.modelcontextprotocol/tasks`, 2026-07-28). The call has been made then. What follows asks how far
// it is, which has no effect, gives the user's answers, of which the server takes each once, and may be repeated.

/** The row of the call has the id and the names of the questions. */
const mostIdBytes = 1_000;
const mostAnsweredBytes = 20_000;

const Hint = z.number().positive().optional().catch(undefined);
const Task = z.object({ status: z.string(), pollIntervalMs: Hint, ttlMs: Hint });
type Task = z.infer<typeof Task>;

const Begun = Task.extend({
  taskId: z
    .string()
    .min(1)
    .refine((id) => Buffer.byteLength(id) <= mostIdBytes),
});

/** What is asked of a task. */
type Ask = (method: 'tasks/get' | 'tasks/update' | 'tasks/cancel', more?: object) => Promise<Record<string, unknown>>;

/** Returns the function that asks a server of a task. */
export const askOf =
  ({ client, orAsItIs }: Pick<Session, 'client' | 'orAsItIs'>, taskId: string, signal: AbortSignal): Ask =>
  (method, more) =>
    orAsItIs(client.request({ method, params: { taskId, ...more } }, AnyResult, { signal }));

/**
 * Reads the answer that begins a task.
 *
 * @param earlier the number of the user's answers to this call.
 * @returns undefined if it has no id that can be kept.
 */
export function begunTask(result: Record<string, unknown>, earlier: number): ServerWorking | undefined {
  const { data } = Begun.safeParse(result);
  return data && working(data, { earlier, asks: [], task: { id: data.taskId, answered: [] } });
}

/** What a server said before of its times holds until it says something else. */
const working = ({ status, pollIntervalMs, ttlMs }: Task, { task, ...round }: Round): ServerWorking => {
  // It may have the result already.
  const pollMs = status === 'working' ? (pollIntervalMs ?? task.pollMs) : 1_000;
  return new ServerWorking({ round: { ...round, task: { ...task, pollMs, ttlMs: ttlMs ?? task.ttlMs } } });
};

export type Round = ServerWorks['round'];

/**
 * Asks once how far a task is, after it has given the user's answers.
 *
 * @param mayAsk whether the tool may ask the user.
 * @param given is told where the call stands after the server has got answers: they are not given again if the rest fails.
 * @returns the result of the call.
 * @throws ServerWorking if there is none yet.
 * @throws AsksUser if the server needs an answer first.
 * @throws ResultLost, in the words after the server's name, if there will be none.
 */
export async function resultOfTask(
  ask: Ask,
  { task, ...round }: Round,
  answers: ServerAnswer[],
  mayAsk: boolean,
  given: (round: Round) => void,
): Promise<Record<string, unknown>> {
  let answered = task.answered;
  const current = (): Round => ({ earlier: answers.length, asks: [], task: { ...task, answered } });
  await give(round);
  const result = await ask('tasks/get').catch((error) => {
    throw isGone(error) ? new ResultLost('no longer knows the task') : error;
  });
  const { data } = Task.safeParse(result);
  if (!data) throw new Error('It does not say how far the task is.');
  switch (data.status) {
    case 'completed':
      return isJsonObject(result.result) ? result.result : {};
    case 'failed':
      throw new ResultLost(`failed: ${wordsOf(result.error)}`);
    case 'cancelled':
      throw new ResultLost('has ended the task without a result');
    case 'input_required':
      return askUser(result.inputRequests, data);
    default:
      throw working({ ...data, status: 'working' }, current());
  }

  /** A question that was answered may be repeated until the server has taken the answer. */
  async function askUser(requests: unknown, data: Task): Promise<never> {
    const open = Object.entries(isJsonObject(requests) ? requests : {}).filter(([key]) => !answered.includes(key));
    const earlier = answers.length;
    if (open.length === 0) throw working({ ...data, status: 'working' }, current());
    const { asks } = roundOf(Object.fromEntries(open), earlier);
    const question = unanswered({ earlier, asks }, answers);
    if (question) throw new AsksUser(question, { ...current(), asks });
    await give({ earlier, asks });
    throw working(data, current());
  }

  function roundOf(inputRequests: object, earlier: number): ServerRound {
    try {
      return roundIn({ inputRequests }, mayAsk, earlier);
    } catch (error) {
      throw new ResultLost((error as Error).message);
    }
  }

  async function give({ asks, earlier }: ServerRound): Promise<void> {
    if (asks.length === 0) return;
    await ask('tasks/update', continuation({ asks, earlier }, answers)).catch((error) => {
      // It has had them, or has ended: only its state tells.
      if (!isGone(error)) throw error;
    });
    answered = [...answered, ...asks.map(({ key }) => key)];
    given(current());
    if (Buffer.byteLength(JSON.stringify(answered)) > mostAnsweredBytes) throw new ResultLost('asks again and again');
  }
}

/** Whether the server has no such task, or no tasks any more. */
const isGone = (error: unknown): boolean =>
  error instanceof ProtocolError &&
  (error.code === ProtocolErrorCode.InvalidParams || error.code === ProtocolErrorCode.MethodNotFound);

const wordsOf = (error: unknown): string => {
  const { message } = isJsonObject(error) ? error : {};
  return typeof message === 'string' ? message : 'it does not say why';
};
