import { setTimeout as sleep } from 'node:timers/promises';
import type { HistoryEvent, HistoryEventType } from '@aws-sdk/client-sfn';
import type { Conversation } from 'vigil-client';
import { openApi } from './demo-api';
import type { DemoCloud } from './demo-cloud';
import { enteredState, openHistories, transitions } from './histories';

/** The result, which `--json` prints. */
export interface DemoResult {
  conversationId: string;
  runId: string;
  status: string;
  executions: number;
  transitions: number;
  modelCalls: number;
  toolCalls: number;
  messages: number;
  /** From the request to the end of the run, by this machine's clock. */
  ms: number;
}

/** An event of the story, with the local clock's time. */
export type Happening =
  | { at: Date; kind: 'message'; author: string; text: string }
  | { at: Date; kind: 'state'; execution: string; state: string }
  | { at: Date; kind: 'result'; tool: string; outcome: string }
  | { at: Date; kind: 'asleep'; until: string }
  | { at: Date; kind: 'moved'; to: string }
  /** An attempt failed. The clock is moved past the pause before the next one. */
  | { at: Date; kind: 'again'; error: string };

const pollMs = 50;
/** Enough for a slow model and its retries. */
const maxMs = 180_000;
const maxSleeps = 50;
/** The longest pause before a retry in the state machine. */
const retryPauseMs = 60_000;

/**
 * Sends the request and follows its run to the end. Whenever the run sleeps, it moves the clock to the wake-up.
 *
 * @param tell receives every event, in order.
 * @throws Error in one line if the run does not end in time.
 */
export async function runDemo(
  cloud: DemoCloud,
  request: string,
  tell: (happening: Happening) => void,
): Promise<{ result: DemoResult; conversation: Conversation }> {
  const api = await openApi(cloud.url, 'you');
  const histories = openHistories(cloud.awsUrl, cloud.resources.stateMachineArn('AgentLoop'));
  try {
    const begun = performance.now();
    const { id, run } = await api.start(request);
    if (!run) throw new Error('The request started no run.');
    const news = newsOf(histories, run.id);
    const slept = new Set<string>();
    const failed = new Set<string>();
    for (;;) {
      const conversation = await api.read(id);
      const { status, until } = conversation.run ?? run;
      for (const happening of await news(conversation)) tell(happening);
      if (hasStopped(status) && (await isComplete(histories, run.id, status))) {
        for (const happening of await news(conversation)) tell(happening);
        return { conversation, result: await resultOf(conversation, histories, performance.now() - begun) };
      }
      const last = await lastEvents(histories, run.id);
      if (status === 'sleeping' && until && !slept.has(until) && isIn('WaitStateEntered', last)) {
        if (slept.size === maxSleeps) throw new Error(`The run slept more than ${maxSleeps} times.`);
        slept.add(until);
        for (const happening of await news(conversation)) tell(happening);
        tell({ at: await api.now(), kind: 'asleep', until });
        tell({ at: await api.now(), kind: 'moved', to: until });
        await api.moveClock(until);
      }
      const failure = last.at(-1);
      const error = failure && errorOf(failure);
      if (error && !failed.has(`${failure.timestamp?.toISOString()} ${failure.id}`)) {
        failed.add(`${failure.timestamp?.toISOString()} ${failure.id}`);
        const now = await api.now();
        tell({ at: now, kind: 'again', error });
        await api.moveClock(new Date(now.getTime() + retryPauseMs).toISOString());
      }
      if (performance.now() - begun > maxMs) throw new Error(`The run is still ${status} after ${maxMs / 1000} s.`);
      await sleep(pollMs);
    }
  } finally {
    histories.close();
  }
}

type OpenHistories = ReturnType<typeof openHistories>;

async function lastEvents(histories: OpenHistories, runId: string): Promise<HistoryEvent[]> {
  const last = (await histories.executions(runId)).at(-1);
  return last?.executionArn ? histories.events(last.executionArn) : [];
}

/** The conversation says that the run sleeps a moment before the Wait state is entered. */
const isIn = (entered: HistoryEventType, events: HistoryEvent[]): boolean => events.at(-1)?.type === entered;

const hasStopped = (status: string) => status !== 'running' && status !== 'sleeping' && status !== 'cancelling';

/** A run ends in the table before its execution enters the last states. */
const isComplete = async (histories: OpenHistories, runId: string, status: string): Promise<boolean> =>
  status === 'waiting' || (await histories.executions(runId)).every((execution) => execution.status !== 'RUNNING');

/** Returns the error of a failed task, if that is the latest event. */
function errorOf({
  taskFailedEventDetails,
  taskSubmitFailedEventDetails,
  taskTimedOutEventDetails,
  lambdaFunctionFailedEventDetails,
}: HistoryEvent) {
  const failed = taskFailedEventDetails ?? taskSubmitFailedEventDetails;
  return (failed ?? taskTimedOutEventDetails ?? lambdaFunctionFailedEventDetails)?.error;
}

/**
 * @returns a function that returns only new events on each call.
 */
function newsOf(histories: OpenHistories, runId: string) {
  const told = new Set<string>();
  const once = (key: string) => !told.has(key) && told.add(key);
  return async (conversation: Conversation): Promise<Happening[]> => {
    const news: Happening[] = [];
    for (const { seq, status, author, role, text, createdAt } of conversation.messages) {
      const whole = role === 'user' || (status !== 'streaming' && status !== 'pending');
      if (whole && text && once(`message ${seq}`)) {
        news.push({ at: new Date(createdAt), kind: 'message', author: role === 'user' ? 'you' : author, text });
      }
    }
    for (const { id, tool, result, error, completedAt } of conversation.calls) {
      const outcome = error ?? (typeof result === 'string' ? result : JSON.stringify(result));
      if (completedAt && outcome && once(`call ${id}`))
        news.push({ at: new Date(completedAt), kind: 'result', tool, outcome });
    }
    for (const { executionArn = '', name = '' } of await histories.executions(runId)) {
      for (const event of await histories.events(executionArn)) {
        const state = enteredState(event);
        if (state && event.timestamp && once(`${name} ${event.id}`)) {
          news.push({ at: event.timestamp, kind: 'state', execution: name, state });
        }
      }
    }
    return news.sort((a, b) => a.at.getTime() - b.at.getTime());
  };
}

async function resultOf(conversation: Conversation, histories: OpenHistories, ms: number): Promise<DemoResult> {
  const { id, run, messages } = conversation;
  const executions = await histories.executions(run?.id ?? '');
  const all = await Promise.all(executions.map(({ executionArn = '' }) => histories.events(executionArn)));
  return {
    conversationId: id,
    runId: run?.id ?? '',
    status: run?.status ?? 'idle',
    executions: executions.length,
    transitions: all.reduce((sum, events) => sum + transitions(events), 0),
    modelCalls: run?.usage.modelCalls ?? 0,
    toolCalls: run?.usage.toolCalls ?? 0,
    messages: messages.length,
    ms: Math.round(ms),
  };
}
