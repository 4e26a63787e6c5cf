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
import { dropTokens, readCallback, resumeRoute, storeToken } from '../core/conversations/calls/callback';
import { closeAsked, closeRest } from '../core/conversations/calls/close';
import { cancelChild, cancelChildren, report } from '../core/conversations/conversation/children';
import { endDeleted } from '../core/conversations/conversation/delete';
import type { PendingResume } from '../core/conversations/conversation/send-message';
import { key } from '../core/conversations/rows/keys';
import type { Meta, StoredRun } from '../core/conversations/rows/meta';
import type { StoredCallback, StoredTimer } from '../core/conversations/rows/rows';
import { closeDropped } from '../core/conversations/runs/dropped';
import { segmentOf } from '../core/conversations/runs/run';
import { dropStop, type Table } from '../core/conversations/store/table';
import { attemptsIn, type RunAttempts } from '../core/machines/reconcile/attempts';
import { type HistoryEvent, tellOfAllOpen } from '../core/machines/reconcile/history';
import { type Found, type Named, neededByRun, neededByTimer, stopCauses } from '../core/machines/reconcile/needed';
import { optionalVariable, variable } from '../runtime/environment';
import type { Actions } from './api/deployment';

/** Returns the actions of Api and Mcp after a commit. */
export const actionsOf = (client: SFNClient, table: Table, registry: Registry): Actions => ({
  driveRun: (meta) => driveRun(client, table, registry, meta),
  driveTimer: (timer) => driveTimer(client, table, timer),
  endDeleted: async (conversationId) =>
    driveRun(client, table, registry, await endDeleted(table, registry.tools, conversationId, new Date())),
  resume: (conversationId, pending) => resume(client, table, conversationId, pending),
  attempts: (run, due) => attemptsOf(client, registry, run, due),
});

/** Does what META's outbox says. Execution names derive from the run, so doing it twice changes nothing. */
export async function driveRun(client: SFNClient, table: Table, { tools }: Registry, meta: Meta): Promise<void> {
  if (meta.outbox === 'start') await startSegment(client, meta);
  if (meta.outbox === 'stop') await stopCancelled(client, meta);
  if (meta.outbox === 'cancel') await startRollback(client, meta);
  if (meta.outbox === 'hold') await holdForRetry(client, meta);
  // Relay acts on the sub-agents' own outboxes.
  if (meta.run && (meta.outbox === 'stop' || meta.outbox === 'cancel')) {
    // Those of failed runs, which this one has replaced, and perhaps before its first step.
    await closeAsked(table, meta.conversationId, meta.run, new Date(), tools);
    const { id, stoppedBy: by } = meta.run;
    const cancelled = await closeRest(table, meta.conversationId, id, new Date(), { keeps: by !== undefined });
    await cancelChildren(table, tools, cancelled, new Date(), { by });
  }
  if (meta.dropped) await closeDropped(table, meta.conversationId);
  const reported = await report(table, meta, new Date());
  if (reported) await resume(client, table, reported.conversationId, reported.resume);
  if (meta.outbox === 'stop') await dropStop(table, meta.conversationId, key.meta);
}

/** Starts the execution of the run's current segment, and stops a stale one. */
async function startSegment(client: SFNClient, meta: Meta): Promise<void> {
  const segment = segmentOf(meta);
  if (!segment) return;
  // The stop comes first: the started run clears the outbox, so after a crash in between both are done again.
  if (meta.run!.stop) await stopExecution(client, 'loop', meta.run!.stop, stopCauses.woken);
  await start<SegmentInput>(client, 'loop', segment.name, segment.input);
}

async function stopCancelled(client: SFNClient, { run }: Meta): Promise<void> {
  // A deleted conversation may have had none.
  if (!run) return;
  const { id, segment, stop: earlier } = run;
  for (const name of [...(earlier ? [earlier] : []), executionName(id, segment)])
    await stopExecution(client, 'loop', name, stopCauses.cancelled);
}

async function startRollback(client: SFNClient, meta: Meta): Promise<void> {
  await stopCancelled(client, meta);
  const { conversationId, run, updatedAt: at } = meta;
  const { id: runId, segment } = run!;
  const input: RollbackInput = { conversationId, runId, segment, at };
  await start(client, 'rollback', rollbackName(runId, segment), input);
}

async function holdForRetry(client: SFNClient, { conversationId, run }: Meta): Promise<void> {
  const { id: runId, segment, heldUntil } = run as StoredRun;
  const input: RollbackInput = { conversationId, runId, segment, at: heldUntil };
  await start(client, 'rollback', holdName(runId, segment), input);
}

/** Starts a timer's execution, or stops that of a timer which is cancelled, paused or waits for another time. */
export async function driveTimer(client: SFNClient, table: Table, timer: StoredTimer): Promise<void> {
  const { conversationId, id: timerId, segment, outbox } = timer;
  const name = timerExecution(timerId, segment);
  if (outbox === 'stop') {
    await stopExecution(client, 'timer', name, stopCauses.timer);
    await dropStop(table, conversationId, key.timer(timerId));
  }
  if ((outbox !== 'start' && outbox !== 'restart') || timer.status !== 'active') return;
  // What is left of it changes nothing, but would sleep until its old time.
  if (outbox === 'restart')
    await stopExecution(client, 'timer', timerExecution(timerId, segment - 1), stopCauses.renewed);
  const at = stretch(timer, timer.nextAt);
  await start<TimerInput>(client, 'timer', name, { conversationId, timerId, segment, at });
}

/** Resumes the executions that wait for a callback. They get only the route, and read the outcome from the table. */
export async function resume(
  client: SFNClient,
  table: Table,
  conversationId: string,
  { id, route, taskTokens }: PendingResume,
): Promise<void> {
  const output = JSON.stringify(route);
  for (const taskToken of taskTokens) {
    // The execution has already been resumed, or is over.
    const over = ['TaskTimedOut', 'TaskDoesNotExist', 'InvalidToken'];
    await unless(over, client.send(new SendTaskSuccessCommand({ taskToken, output })));
  }
  await dropTokens(table, conversationId, id);
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
  return async (conversationId, { id, kind, runId, callId, tool, taskId: cancelTask }) => {
    if (kind === 'model') await invoke(CALL_MODEL_ARN, { cancelReply: { conversationId, callbackId: id } });
    if (kind === 'task' && callId && RUN_ISOLATED_ARN)
      await invoke(RUN_ISOLATED_ARN, { conversationId, runId, callId, tool, cancelTask });
  };
};

/**
 * Resumes the execution that waits for a callback. If a delegation was cancelled, cancels the sub-agent's run; if a reply in the background
 * or a server's task was, tells the provider or the server.
 */
export async function driveCallback(
  client: SFNClient,
  table: Table,
  { tools }: Registry,
  conversationId: string,
  callback: StoredCallback,
  cancelElsewhere: CancelElsewhere,
): Promise<void> {
  const { id, taskTokens, outbox, kind, status, conversationId: child, keeps } = callback;
  if (outbox !== 'answer') return;
  if (status === 'cancelled') await cancelElsewhere(conversationId, callback);
  if (kind === 'agent' && status === 'cancelled' && child)
    await cancelChild(table, tools, child, new Date(), keeps ? { by: '' } : {});
  await resume(client, table, conversationId, { id, taskTokens: taskTokens ?? [], route: resumeRoute(callback) });
  if (status === 'cancelled') await dropTokens(table, conversationId, id, ['cancelled']);
}

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
  const taskTokens = [...(callback?.taskTokens ?? []), taskToken];
  await resume(client, table, conversationId, { id, taskTokens, route: callback ? resumeRoute(callback) : 'served' });
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
async function attemptsOf(
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
