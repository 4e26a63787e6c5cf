import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import {
  type AskRequest,
  type CancelReply,
  executionName,
  type SegmentInput,
  type ToolRequest,
} from '../core/base/state/loop-state';
import { holdName, type RollbackInput, rollbackName } from '../core/base/state/rollback-state';
import { stretch, type TimerInput, timerExecution } from '../core/base/state/timer-state';
import type { Registry } from '../core/conversations/agent/registry';
import { readCallback, resumeRoute, storeToken } from '../core/conversations/calls/callback';
import { type WaitKind, waitKinds } from '../core/conversations/calls/wait-kinds';
import type { StoredRun } from '../core/conversations/rows/meta';
import type { StoredCallback, StoredTimer } from '../core/conversations/rows/rows';
import type { Table } from '../core/conversations/store/table';
import { attemptsIn, type RunAttempts } from '../core/machines/reconcile/attempts';
import { type HistoryEvent, tellOfAllOpen } from '../core/machines/reconcile/history';
import { type Found, type Named, neededByRun, neededByTimer } from '../core/machines/reconcile/needed';
import { optionalVariable, variable } from '../runtime/environment';

/** Starts the execution of a run's segment. */
export const startSegment = (client: SFNClient, input: SegmentInput): Promise<void> =>
  start(client, 'loop', executionName(input.runId, input.segment), input);

/** Starts the rollback of a run, or the execution that holds a failed run for a retry and then rolls it back. */
export const startRollback = (client: SFNClient, input: RollbackInput, isHeld = false): Promise<void> =>
  start(client, 'rollback', (isHeld ? holdName : rollbackName)(input.runId, input.segment), input);

/** Starts the execution of a timer's segment. */
export function startTimer(client: SFNClient, timer: StoredTimer): Promise<void> {
  const { conversationId, id: timerId, segment } = timer;
  const input: TimerInput = { conversationId, timerId, segment, at: stretch(timer, timer.nextAt) };
  return start(client, 'timer', timerExecution(timerId, segment), input);
}

/** Resumes the executions that wait for a callback. They get only the route, and read the outcome from the table. */
export async function resume(client: SFNClient, taskTokens: readonly string[], route: string): Promise<void> {
  const output = JSON.stringify(route);
  for (const taskToken of taskTokens) {
    // The execution has already been resumed, or is over.
    const over = ['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'];
    await unless(over, client.send(new SendTaskSuccessCommand({ taskToken, output })));
  }
}

/** Tells the provider of a model, or the server of a tool, to stop work that is no longer needed. */
export type CancelElsewhere = (conversationId: string, callback: StoredCallback) => Promise<void>;

/**
 * CallModel has the providers' keys, and RunIsolated reaches the servers. They are not waited for: Lambda invokes them again if the other side
 * does not answer.
 */
export const cancelByFunctions = (client: LambdaClient): CancelElsewhere => {
  const CALL_MODEL_ARN = variable('CALL_MODEL_ARN');
  // Without such tools, the server of an earlier deployment's tool cannot be told.
  const RUN_ISOLATED_ARN = optionalVariable('RUN_ISOLATED_ARN');
  const invoke = async (FunctionName: string, request: CancelReply | ToolRequest) =>
    void (await client.send(
      new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(request) }),
    ));
  type Tell = (conversationId: string, callback: StoredCallback) => Promise<void>;
  const tell: Record<NonNullable<WaitKind['tells']>, Tell> = {
    provider: (conversationId, { id }) => invoke(CALL_MODEL_ARN, { cancelReply: { conversationId, callbackId: id } }),
    async server(conversationId, { runId, callId, tool, taskId: cancelTask }) {
      if (callId && RUN_ISOLATED_ARN)
        await invoke(RUN_ISOLATED_ARN, { conversationId, runId, callId, tool, cancelTask });
    },
    // Its run is cancelled in the table, by the same to-do row (`withdraw` in `todos.ts`).
    'sub-agent': async () => undefined,
  };
  return async (conversationId, callback) => {
    const { tells }: WaitKind = waitKinds[callback.kind];
    if (tells) await tell[tells](conversationId, callback);
  };
};

/**
 * Stores the task token of a waiting execution, or resumes it at once if the callback already has its outcome or has expired.
 *
 * @returns whether the execution waits.
 */
export async function keepToken(
  client: SFNClient,
  table: Table,
  { conversationId, callId: id, taskToken }: AskRequest,
  now: Date,
): Promise<boolean> {
  if (await storeToken(table, conversationId, id, taskToken, now)) return true;
  const callback = await readCallback(table, conversationId, id);
  await resume(client, [...(callback?.taskTokens ?? []), taskToken], callback ? resumeRoute(callback) : 'served');
  return false;
}

type Machine = Named['machine'];

const arnOf = (machine: Machine): string =>
  variable({ loop: 'STATE_MACHINE_ARN', timer: 'TIMER_MACHINE_ARN', rollback: 'ROLLBACK_MACHINE_ARN' }[machine]);

const executionArn = (machine: Machine, name: string): string =>
  `${arnOf(machine).replace(':stateMachine:', ':execution:')}:${name}`;

async function start<Input>(client: SFNClient, machine: Machine, name: string, input: Input): Promise<void> {
  const command = new StartExecutionCommand({ stateMachineArn: arnOf(machine), name, input: JSON.stringify(input) });
  await unless(['ExecutionAlreadyExists'], client.send(command));
}

export async function stopExecution(client: SFNClient, machine: Machine, name: string, cause: string): Promise<void> {
  const command = new StopExecutionCommand({ executionArn: executionArn(machine, name), cause });
  await unless(['ExecutionDoesNotExist'], client.send(command));
}

/** Asks what Step Functions knows about an execution. The answer may be some seconds old. */
export async function findExecution(client: SFNClient, { machine, name }: Named): Promise<Found> {
  const command = new DescribeExecutionCommand({ executionArn: executionArn(machine, name) });
  try {
    const { status, error, cause } = await client.send(command);
    // `PENDING_REDRIVE` is of Map Runs only.
    return { status: status as Found['status'], error, cause };
  } catch (error) {
    if ((error as Error).name === 'ExecutionDoesNotExist') return { status: 'MISSING' };
    throw error;
  }
}

/**
 * Asks what Step Functions knows of a run that is at work, if there is one, and of timers that are due. It does not count against the run: the
 * request is free, and of a quota of the account that nothing else here uses.
 */
export async function attemptsOf(
  client: SFNClient,
  { tools }: Registry,
  run: StoredRun | undefined,
  due: readonly StoredTimer[],
): Promise<RunAttempts> {
  const ofRun = run ? await knownOf(client, tools, neededByRun(run)) : { execution: 'ended' as const, attempts: [] };
  const ofTimers = await Promise.all(
    due.map(async (timer) => {
      const { attempts } = await knownOf(client, tools, neededByTimer(timer));
      return attempts.map((attempt) => ({ ...attempt, timerId: timer.id }));
    }),
  );
  return { ...ofRun, attempts: [...ofRun.attempts, ...ofTimers.flat()] };
}

/** A rollback has two possible executions. The first that exists is asked. */
async function knownOf(client: SFNClient, tools: Registry['tools'], possible: Named[]): Promise<RunAttempts> {
  for (const named of possible) {
    try {
      return attemptsIn(await latestEvents(client, named), tools);
    } catch (error) {
      if ((error as Error).name !== 'ExecutionDoesNotExist') return { execution: 'unknown', attempts: [] };
    }
  }
  return { execution: 'not started', attempts: [] };
}

/**
 * Reads the latest events. A hundred and fifty are enough for some forty attempts of a state. More are read only if what is open was entered
 * before: a state that AWS has throttled for hours, or one of many parallel calls.
 */
async function latestEvents(client: SFNClient, { machine, name }: Named): Promise<HistoryEvent[]> {
  const arn = executionArn(machine, name);
  const read = (maxResults: number, nextToken?: string) =>
    client.send(new GetExecutionHistoryCommand({ executionArn: arn, maxResults, reverseOrder: true, nextToken }));
  const { events: few = [], nextToken: more } = await read(150);
  if (!more || tellOfAllOpen(few)) return few;
  // A token is only good for pages of its own size.
  const found: HistoryEvent[] = [];
  let nextToken: string | undefined;
  for (let pages = 0; pages < 3; pages++) {
    const page = await read(1_000, nextToken);
    found.push(...(page.events ?? []));
    nextToken = page.nextToken;
    if (!nextToken || tellOfAllOpen(found)) break;
  }
  return found;
}

async function unless(harmless: string[], call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!harmless.includes((error as Error).name)) throw error;
  }
}
