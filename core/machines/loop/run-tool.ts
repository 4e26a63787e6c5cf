import { joined } from '../../base/content/sources';
import { plainJson } from '../../base/json/plain-json';
import { parseInput } from '../../base/schemas/parse-input';
import { pauseIn } from '../../base/state/failed-attempts';
import type { Given } from '../../base/state/given';
import type { ServerAnswer, ServerRound, ServerWorks } from '../../base/state/isolated-call';
import type { ToolRequest } from '../../base/state/loop-state';
import { type CallStatus, isSettled } from '../../base/state/schemas';
import { contextOfCall, type TraceScope, tracedBy } from '../../base/state/trace';
import type { Counts } from '../../base/state/user-limits';
import {
  type AsksUser,
  ConfigurationError,
  ConversationBusy,
  type InvalidInput,
  isFinal,
  ResultLost,
  type ServerWorking,
  TellModel,
  Throttled,
  ToolFailed,
  ToolTerminal,
} from '../../base/text/errors';
import { failureWords } from '../../base/text/failure-words';
import { problemsIn } from '../../base/text/problems';
import { isThrottling } from '../../base/text/throttling';
import { asError } from '../../base/text/thrown';
import { checkRule } from '../../base/time/schedule';
import { isTableEffect, type TableEffect } from '../../conversations/agent/table-effect';
import { type FunctionTool, sourcesOf, type ToolContext } from '../../conversations/agent/tool';
import { approvalOf, questionOf } from '../../conversations/calls/approval';
import { canonical, digestOf, isApproved } from '../../conversations/calls/approved';
import { noteFailedAttempt, readCall, startAttempt, takeBackAttempt } from '../../conversations/calls/call';
import { stateOf, transition } from '../../conversations/calls/call-state';
import { readCallback, taskCallbackId, webhookId } from '../../conversations/calls/callback';
import { type CallOutcome, eventOf, settleCall } from '../../conversations/calls/settle';
import { leaveTask, taskCallback } from '../../conversations/calls/task';
import type { FileStore } from '../../conversations/files/file-store';
import type { FileLimits } from '../../conversations/files/sums';
import { type CallFiles, callFiles, type ToolFiles } from '../../conversations/files/tool-files';
import type { TypeOf } from '../../conversations/files/upload';
import { key } from '../../conversations/rows/keys';
import type { StoredCall } from '../../conversations/rows/rows';
import { countRow, reachedLimit } from '../../conversations/store/counts';
import { pause } from '../../conversations/store/retry-on-conflict';
import { RowConflict, type Table } from '../../conversations/store/table';

/** The runtime that a tool's Lambda function provides. */
export interface ToolRuntime {
  table: Table;
  now(): Date;
  /** Returns the signed address of a tool's webhook. */
  webhookUrl?(conversationId: string, callbackId: string): Promise<string>;
  /** Limits of a user's counts. */
  atMost?: Partial<Counts>;
  /** The bytes of files, and how many a user may have, for a tool that works with files. */
  files?: { store: FileStore; most: FileLimits; typeOf?: TypeOf };
  /** What one trace has, in deployments that export traces. */
  traces?: TraceScope;
  /** Receives the call when an attempt at it, or at undoing it, begins. */
  began?(call: StoredCall): void;
  /** Receives each error that the tool throws. */
  failed?(error: Error, call: StoredCall): void;
}

/** More than the calls of one reply. In each round, at least one of the calls that compete for a row succeeds. */
const attemptsAtEffect = 25;

/** One attempt at a call. */
interface Attempt {
  runtime: ToolRuntime;
  tool: FunctionTool;
  conversationId: string;
  call: StoredCall;
  /** What it reads and has written. */
  files?: CallFiles;
}

/** The value that the tool has returned, or thrown. */
type Returned = { output: unknown } | { error: Error };

/**
 * Runs one attempt of a tool call. A settled call does not run again, and only the latest attempt can commit an outcome.
 *
 * @returns the call's status afterwards.
 * @throws ToolFailed, which is retried as the tool's `retry` says.
 * @throws Throttled, which is retried for hours and counts as no attempt.
 * @throws ToolTerminal, ConfigurationError, which end the run.
 */
export async function runTool(
  runtime: ToolRuntime,
  tool: FunctionTool,
  { conversationId, callId }: ToolRequest,
): Promise<CallStatus> {
  const { call, claimed } = await startAttempt(runtime.table, conversationId, callId, tool, runtime.now());
  if (!claimed) return call.status;
  runtime.began?.(call);
  let attempt: Attempt = { runtime, tool, conversationId, call, files: filesOf(runtime, tool, conversationId, call) };
  let returned = await run(attempt);
  for (let round = 1; ; round++) {
    const tried =
      'error' in returned ? await failed(attempt, returned.error) : await succeeded(attempt, returned.output);
    try {
      const settled = await settle(attempt, tried);
      if (settled) return settled;
      const { status, call: current } = await lookAgain(attempt, tried);
      if (status) return status;
      if (round === attemptsAtEffect) throw takenOver();
      attempt = { ...attempt, call: current };
    } catch (error) {
      const status = error instanceof ConversationBusy && (await settledStatus(attempt));
      if (status) return status;
      if (!(error instanceof RowConflict) || round === attemptsAtEffect) throw error;
      returned = await afterConflict(attempt, tried, error, returned, round);
    }
  }
}

/** A file that the tool makes may say what its agent had read. */
export function filesOf(
  { table, files, now }: ToolRuntime,
  tool: FunctionTool,
  conversationId: string,
  { user, after }: StoredCall,
): CallFiles | undefined {
  const of = { table, conversationId, user, sources: joined(sourcesOf(tool), after), now: now() };
  return files && callFiles(files.store, { ...of, most: files.most, typeOf: files.typeOf });
}

async function run(attempt: Attempt): Promise<Returned> {
  const { runtime, tool, call } = attempt;
  try {
    const output = await execute(tool, call, await contextOf(attempt));
    checkRhythm(output, runtime.now);
    return { output };
  } catch (thrown) {
    const error = asError(thrown);
    const hasFailed = !asksFirst(tool, call, error) && !asksUser(tool, error) && !isDeferred(tool, error);
    if (hasFailed) runtime.failed?.(error, call);
    return { error };
  }
}

/** @returns the call's new status; undefined if the call has changed since it was read. */
async function settle(
  { runtime: { table, now, atMost }, tool, conversationId, call, files }: Attempt,
  { outcome, effect }: Tried,
): Promise<CallStatus | undefined> {
  const { maxResultBytes } = tool;
  const references = 'result' in outcome ? await files?.referencesIn(outcome.result) : undefined;
  const settled = await settleCall(table, conversationId, call, outcome, {
    tool,
    maxResultBytes,
    effect,
    references,
    now: now(),
    // A tool that has done something elsewhere has not failed for want of a timer.
    atMost: tool.effect === 'table' ? atMost : undefined,
  });
  return settled ? transition(stateOf(call), eventOf(outcome), tool.effect)!.status : undefined;
}

/**
 * Reads why an outcome did not fit: the call is settled, or its conversation was deleted meanwhile, whose mark makes all further rows
 * expire.
 *
 * @throws ToolFailed if another attempt has taken over.
 */
async function lookAgain(
  { runtime: { table, now }, conversationId, call }: Attempt,
  { outcome, effect }: Tried,
): Promise<{ status?: CallStatus; call: StoredCall }> {
  const current = await readCall(table, conversationId, call.id);
  if (!current) throw new ToolFailed('The call no longer exists.');
  if (isSettled(current.status)) {
    if (outcome.status === 'deferred') await leaveTask(table, conversationId, current, outcome.callback, now());
    if (effect && writes(effect) && (await wasDelivered(table, conversationId, current, call)))
      await settleCall(table, conversationId, current, { status: 'late-effect' }, { effect, now: now() });
    return { status: current.status, call: current };
  }
  if (current.status !== 'running' || current.attempts !== call.attempts) throw takenOver();
  return { call: current };
}

const takenOver = () => new ToolFailed('A later attempt of this call has taken over.');

/** The commit may have succeeded without a response. The row then shows the outcome. */
async function settledStatus({ runtime, conversationId, call }: Attempt): Promise<CallStatus | undefined> {
  const current = await readCall(runtime.table, conversationId, call.id);
  return current && isSettled(current.status) ? current.status : undefined;
}

/** A row that the table effect depends on has changed, and nothing was written. The effect is computed again. */
async function afterConflict(
  attempt: Attempt,
  { effect }: Tried,
  { sk }: RowConflict,
  returned: Returned,
  round: number,
): Promise<Returned> {
  const { table, atMost } = attempt.runtime;
  const timer = countRow(attempt.call.user, { timers: 1 }, atMost);
  const full = sk === key.counts ? await reachedLimit(table, [timer]) : undefined;
  if (full) return { error: new TellModel(`Not done: ${full.message}`) };
  await pause(round);
  return effect?.rows ? run(attempt) : returned;
}

const writes = ({ rows, messages, timer }: TableEffect<unknown>): boolean => Boolean(rows || messages || timer);

/** Whether a delivery has completed the call before its tool returned. The tool's table effect is then still due, once. */
async function wasDelivered(
  table: Table,
  conversationId: string,
  { status, attempts, id, lateEffect }: StoredCall,
  call: StoredCall,
): Promise<boolean> {
  if (status !== 'completed' || attempts !== call.attempts || lateEffect) return false;
  return (await readCallback(table, conversationId, webhookId(id)))?.status === 'answered';
}

/** Returns the tool's context, from the call's row. */
export async function contextOf({
  runtime: { table, now, webhookUrl, traces },
  tool,
  conversationId,
  call,
  files,
}: Attempt): Promise<ToolContext> {
  const { id: callId, runId, user, agent, timeZone = 'UTC', attempts: attempt, after: sources = [] } = call;
  const { claims = {}, metadata = {} } = (call.given ?? {}) as Partial<Given>;
  const address = tool.webhook && (await webhookUrl?.(conversationId, webhookId(callId)));
  return {
    conversationId,
    runId,
    callId,
    user,
    timeZone,
    claims,
    metadata,
    agent,
    attempt,
    sources,
    approved: isApproved(call),
    answers: call.answers as ServerAnswer[] | undefined,
    round: call.round as ServerRound | undefined,
    trace: contextOfCall(traces, tracedBy(conversationId, call), { callId, attempt }),
    now: now(),
    table,
    files: files ?? filesNotNeeded(tool),
    webhookUrl: address,
    // The tool's function has them (`runtime/tool-needs.ts`).
    secrets: {},
    variables: {},
  };
}

function filesNotNeeded({ name }: FunctionTool): ToolFiles {
  const fail = async () => {
    throw new ConfigurationError(`tool ${name}: needs: it works with files: say \`needs: { files: true }\``);
  };
  return { read: fail, write: fail };
}

/** Runs the tool. It is async so that even synchronous errors become rejections. The schema may have changed since the call was stored. */
async function execute(tool: FunctionTool, call: StoredCall, context: ToolContext): Promise<unknown> {
  if (stateOf(call).isTask) return lookAtTask(tool, call, context);
  const input = parseInput(tool.input, call.arguments);
  const { approved } = call;
  if (input.success && approved !== undefined && digestOf(canonical(tool.input, call.arguments)!) !== approved)
    throw new TellModel('The tool has changed since a person approved the call, and did nothing now. Call it again.');
  if (input.success) return tool.execute(input.data, context);
  throw new TellModel(`The arguments no longer fit the tool: ${problemsIn(input.error, 'arguments')}`);
}

/** The call has been made: neither its arguments nor its approval count any more. Only the tool of a server makes no call then. */
function lookAtTask(tool: FunctionTool, { arguments: args }: StoredCall, context: ToolContext): Promise<unknown> {
  if (tool.server) return tool.execute(args as Record<string, unknown>, context);
  throw new ResultLost(`The tool ${tool.name} is no longer one of the server that works on the call.`);
}

const fieldsOfRule: Record<string, string> = { cron: '.cron', time_zone: '.timeZone', every_seconds: '.everySeconds' };

/**
 * Checks the rule of an effect's timer by what reads it later: a timer that never fires would be stored.
 *
 * @throws ConfigurationError naming the field.
 */
function checkRhythm(returned: unknown, now: () => Date): void {
  const { timer } = isTableEffect(returned) ? returned : {};
  if (timer?.kind !== 'repeat') return;
  try {
    checkRule(timer.rule, now());
  } catch (error) {
    const { path, message } = error as InvalidInput;
    throw new ConfigurationError(`tableEffect: timer.rule${fieldsOfRule[path] ?? ''}: ${message}`);
  }
}

interface Tried {
  outcome: Exclude<CallOutcome, { status: 'late-effect' }>;
  effect?: TableEffect<unknown>;
}

async function succeeded({ runtime, tool, conversationId, call }: Attempt, returned: unknown): Promise<Tried> {
  const effect = isTableEffect(returned) ? returned : { output: returned };
  const checked = checkedOutput(tool, effect.output);
  if ('problem' in checked) {
    const error = `The tool ran, but its result does not fit its output schema: ${checked.problem}`;
    runtime.failed?.(new ToolTerminal(error), call);
    // The tool has run, so it does not run again. Its table effect is dropped; any other effect is unknown.
    return { outcome: { status: 'ended', by: 'give-up', error } };
  }
  // The tool has run, so a result that is not JSON completes the call in the form that can be kept.
  const { value: result, unlike } = plainJson(checked.data, 'result');
  if (unlike.length > 0) runtime.failed?.(new TypeError(`The result is not JSON: ${unlike.join('; ')}`), call);
  if (tool.webhook?.delivers !== 'result') return { outcome: { status: 'completed', result }, effect };
  const callback = await readCallback(runtime.table, conversationId, webhookId(call.id));
  // If the run was cancelled meanwhile, no state waits. A completed call can be undone.
  const waits = callback?.status === 'pending';
  return { outcome: { status: waits ? 'waiting' : 'completed', result }, effect };
}

/** A schema may contain code of the author, which may throw. */
function checkedOutput({ output }: FunctionTool, returned: unknown): { data: unknown } | { problem: string } {
  try {
    const checked = output.safeParse(returned);
    return checked.success ? checked : { problem: problemsIn(checked.error, 'result') };
  } catch (thrown) {
    return { problem: failureWords(asError(thrown)) };
  }
}

/** Whether a person must approve the call first. Such an attempt had no effect and has not failed. */
const asksFirst = ({ effect }: FunctionTool, call: StoredCall, { name }: Error): boolean =>
  name === 'NeedsApproval' && !isApproved(call) && (effect === 'read' || effect === 'table');
const asksUser = ({ elicitation }: FunctionTool, { name }: Error): boolean => name === 'AsksUser' && !!elicitation;

/** Whether the attempt has left the call to its server. An isolated tool of ours has nothing that could be asked later. */
const isDeferred = ({ server }: FunctionTool, { name }: Error): boolean =>
  name === 'ServerWorking' && server !== undefined;

/** Whether AWS has throttled the attempt, which then had no effect. Other effects may have begun before a throttled request. */
const isThrottled = (error: Error, { effect }: FunctionTool): boolean =>
  error.name === 'Throttled' || (isThrottling(error) && (effect === 'read' || effect === 'table'));

/** Whether another attempt may follow. None follows if the call has ended, and none of a `once` call that may have had its effect. */
export const mayBeRetried = (error: Error, tool: FunctionTool): boolean =>
  !isFinal(error) &&
  error.name !== 'TellModel' &&
  (tool.effect !== 'once' || error.name === 'ToolFailed' || isThrottled(error, tool));

/**
 * A question that cannot be asked ends the call. The server has got no answer, so this attempt has had no effect, unless the server keeps
 * what it has done in its state.
 */
function asked(tool: FunctionTool, call: StoredCall, { question, round }: AsksUser, now: Date): Tried {
  const callback = questionOf(tool, call, question, now);
  if (typeof callback !== 'function') return { outcome: { status: 'asks', callback, round } };
  return { outcome: { status: 'ended', by: round ? 'give-up' : 'fail', error: callback } };
}

async function deferred({ runtime, conversationId, call }: Attempt, works: ServerWorks): Promise<Tried> {
  const known = await readCallback(runtime.table, conversationId, taskCallbackId(call.id));
  const callback = taskCallback(call, works, known?.createdAt, runtime.now());
  return { outcome: { status: 'deferred', callback, round: works.round } };
}

/** Turns a tool's error into the call's outcome, which the model reads, or throws it to the state machine. */
async function failed(attempt: Attempt, error: Error): Promise<Tried> {
  const { tool, conversationId, call } = attempt;
  const { table, now } = attempt.runtime;
  if (isThrottled(error, tool)) {
    await takeBackAttempt(table, conversationId, call, tool, now());
    throw error.name === 'Throttled' ? error : new Throttled(failureWords(error), { cause: error });
  }
  if (asksUser(tool, error)) return asked(tool, call, error as AsksUser, now());
  if (isDeferred(tool, error)) return deferred(attempt, (error as ServerWorking).works);
  const message = failureWords(error);
  const { name } = error;
  if (asksFirst(tool, call, error)) {
    const callback = approvalOf(tool, call, { owner: call.user, why: message, sources: call.after, now: now() });
    return { outcome: { status: 'asks', callback } };
  }
  if (name === 'ResultLost') return { outcome: { status: 'ended', by: 'give-up', error: message } };
  // To ask a server how far it is has no effect.
  const noEffect = name === 'ToolFailed' || isFinal(error) || stateOf(call).isTask === true;
  const event = name === 'TellModel' ? 'fail' : noEffect ? 'retry' : 'lose';
  const isLost = event === 'lose' && transition(stateOf(call), event, tool.effect)!.status === 'unknown';
  if (event === 'fail' || isLost) return { outcome: { status: 'ended', by: event, error: message } };
  const pause = isFinal(error) ? undefined : pauseIn(error, now());
  if (pause?.isTooLong) {
    const told = `${message} It can be tried again at ${pause.until}.`;
    return { outcome: { status: 'ended', by: noEffect ? 'fail' : 'give-up', error: told } };
  }
  const [retry, notBefore] = [isFinal(error) ? undefined : tool.retry, pause?.until];
  await noteFailedAttempt(
    table,
    conversationId,
    call,
    { error: message, retry, notBefore, now: now() },
    { event, tool },
  );
  throw name === 'ToolFailed' || isFinal(error) ? error : new ToolFailed(message, { cause: error });
}
