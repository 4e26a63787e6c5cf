import { isTableEffect, type TableEffect } from '../agent/table-effect';
import type { FunctionTool, ToolContext } from '../agent/tool';
import { approvalOf, questionOf } from '../calls/approval';
import { canonical, digestOf, isApproved } from '../calls/approved';
import { claimNow, noteFailedAttempt, readCall, startAttempt, takeBackAttempt } from '../calls/call';
import { stateOf, transition } from '../calls/call-state';
import { readCallback, webhookId } from '../calls/callback';
import { type CallOutcome, eventOf, settleCall } from '../calls/settle';
import { plainJson } from '../json/plain-json';
import { key } from '../rows/keys';
import type { StoredCall } from '../rows/rows';
import { parseInput } from '../schemas/parse-input';
import { pauseIn } from '../state/failed-attempts';
import type { Given } from '../state/given';
import type { ServerAnswer } from '../state/isolated-call';
import type { ToolRequest } from '../state/loop-state';
import { type CallStatus, isSettled } from '../state/schemas';
import type { Counts } from '../state/user-limits';
import { countRow, reachedLimit } from '../store/counts';
import { pause, RowConflict, type Table } from '../store/table';
import {
  type AsksUser,
  ConfigurationError,
  ConversationBusy,
  type InvalidInput,
  isFinal,
  TellModel,
  Throttled,
  ToolFailed,
  ToolTerminal,
} from '../text/errors';
import { failureWords } from '../text/failure-words';
import { problemsIn } from '../text/problems';
import { isThrottling } from '../text/throttling';
import { asError } from '../text/thrown';
import { checkRule } from '../time/schedule';

/** What a tool's Lambda function provides. */
export interface ToolRuntime {
  table: Table;
  now(): Date;
  /** Returns the signed address of a tool's webhook. */
  webhookUrl?(conversationId: string, callbackId: string): Promise<string>;
  /** Limits of a user's counts. */
  atMost?: Partial<Counts>;
  /** Receives the call when an attempt at it, or at undoing it, begins. */
  began?(call: StoredCall): void;
  /** Receives each error that the tool throws. */
  failed?(error: Error, call: StoredCall): void;
}

/** More than the calls of one reply. In each round, at least one of the calls that compete for a row succeeds. */
const attemptsAtEffect = 25;
/** A tool that takes longer is claimed meanwhile, so that people see it run. */
const atOnceMs = 1_000;

/**
 * Runs one attempt of a tool call. A settled call does not run again, and only the latest attempt can commit an outcome.
 *
 * @returns the call's status afterwards.
 * @throws ToolFailed, which is retried as the tool's `retry` says.
 * @throws Throttled, which is retried for hours and counts as no attempt.
 * @throws ToolTerminal, ConfigurationError, which end the run.
 */
export async function runTool(
  bench: ToolRuntime,
  tool: FunctionTool,
  { conversationId, callId, retries }: ToolRequest,
): Promise<CallStatus> {
  const { table, now } = bench;
  const started = await startAttempt(table, conversationId, callId, tool, now(), retries === 0);
  if (!started.claimed) return started.call.status;
  let { call, claim } = started;
  bench.began?.(call);
  const run = () =>
    contextOf(bench, tool, conversationId, call)
      .then((context) => execute(tool, call, context))
      .then((output) => {
        checkRhythm(output, now);
        return { output };
      })
      .catch((thrown: unknown) => {
        const error = asError(thrown);
        if (!asksFirst(tool, call, error) && !asksUser(tool, error)) bench.failed?.(error, call);
        return { error };
      });
  /** @returns the call's status if another process has ended it. */
  const claimLeft = async (): Promise<CallStatus | undefined> => {
    if (!claim) return undefined;
    const made = await claimNow(table, conversationId, { call, claim }, tool, now());
    ({ call, claim } = { ...made, claim: undefined });
    return made.claimed ? undefined : call.status;
  };
  const running = run();
  const isOver = claim && !(await succeedsAtOnce(running)) ? await claimLeft() : undefined;
  let returned = await running;
  if (isOver) return isOver;
  for (let attempt = 1; ; attempt++) {
    const { outcome, effect } =
      'error' in returned
        ? await failed(bench, tool, conversationId, call, returned.error)
        : await succeeded(bench, tool, conversationId, call, returned.output);
    try {
      const { maxResultBytes } = tool;
      const settled = await settleCall(table, conversationId, call, outcome, {
        ...{ tool, maxResultBytes, effect, claim, now: now() },
        // A tool that has done something elsewhere has not failed for want of a timer.
        atMost: tool.effect === 'table' ? bench.atMost : undefined,
      });
      if (settled) return transition(stateOf(call), eventOf(outcome), tool.effect)!.status;
      if (claim) {
        const over = await claimLeft();
        if (over) return over;
        continue;
      }
      const current = await readCall(table, conversationId, callId);
      if (!current) throw new ToolFailed('The call no longer exists.');
      if (isSettled(current.status)) {
        if (effect && writes(effect) && (await wasDelivered(table, conversationId, current, call)))
          await settleCall(table, conversationId, current, { status: 'late-effect' }, { effect, now: now() });
        return current.status;
      }
      if (current.status !== 'running' || current.attempts !== call.attempts || attempt === attemptsAtEffect)
        throw new ToolFailed('A later attempt of this call has taken over.');
      // The conversation was deleted meanwhile. The changed row makes all further rows expire.
      call = current;
    } catch (error) {
      if (error instanceof ConversationBusy) {
        // The commit may have succeeded without a response. The row then shows the outcome.
        const current = await readCall(table, conversationId, callId);
        if (current && isSettled(current.status)) return current.status;
      }
      if (!(error instanceof RowConflict) || attempt === attemptsAtEffect) throw error;
      const full =
        error.sk === key.counts && (await reachedLimit(table, [countRow(call.user, { timers: 1 }, bench.atMost)]));
      if (full) {
        returned = { error: new TellModel(`Not done: ${full.message}`) };
        continue;
      }
      // A row that the table effect depends on has changed, and nothing was written. Compute the effect again.
      await pause(attempt);
      if (effect?.rows) returned = await run();
    }
  }
}

async function succeedsAtOnce(running: Promise<object>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, atOnceMs, false);
  });
  const isSuccess = running.then((returned) => 'output' in returned);
  return Promise.race([isSuccess, late]).finally(() => clearTimeout(timer));
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
export async function contextOf(
  { table, now, webhookUrl }: ToolRuntime,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
): Promise<ToolContext> {
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
    now: now(),
    table,
    webhookUrl: address,
  };
}

/** Runs the tool. It is async so that even synchronous errors become rejections. The schema may have changed since the call was stored. */
async function execute(tool: FunctionTool, call: StoredCall, context: ToolContext): Promise<unknown> {
  const input = parseInput(tool.input, call.arguments);
  const { approved } = call;
  if (input.success && approved !== undefined && digestOf(canonical(tool.input, call.arguments)!) !== approved)
    throw new TellModel('The tool has changed since a person approved the call, and did nothing now. Call it again.');
  if (input.success) return tool.execute(input.data, context);
  throw new TellModel(`The arguments no longer fit the tool: ${problemsIn(input.error, 'arguments')}`);
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

async function succeeded(
  bench: ToolRuntime,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
  returned: unknown,
): Promise<Tried> {
  const effect = isTableEffect(returned) ? returned : { output: returned };
  const checked = checkedOutput(tool, effect.output);
  if ('problem' in checked) {
    const error = `The tool ran, but its result does not fit its output schema: ${checked.problem}`;
    bench.failed?.(new ToolTerminal(error), call);
    // The tool has run, so it does not run again. Its table effect is dropped; any other effect is unknown.
    return { outcome: { status: 'ended', by: 'give-up', error } };
  }
  // The tool has run, so a result that is not JSON completes the call in the form that can be kept.
  const { value: result, unlike } = plainJson(checked.data, 'result');
  if (unlike.length > 0) bench.failed?.(new TypeError(`The result is not JSON: ${unlike.join('; ')}`), call);
  if (tool.webhook?.delivers !== 'result') return { outcome: { status: 'completed', result }, effect };
  const callback = await readCallback(bench.table, conversationId, webhookId(call.id));
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

/** Whether AWS has throttled the attempt, which then had no effect. Other effects may have begun before a throttled request. */
const isThrottled = (error: Error, { effect }: FunctionTool): boolean =>
  error.name === 'Throttled' || (isThrottling(error) && (effect === 'read' || effect === 'table'));

/** A question that cannot be asked ends the call. The server has got no answer, so this attempt has had no effect. */
function asked(tool: FunctionTool, call: StoredCall, { question }: AsksUser, now: Date): Tried {
  const callback = questionOf(tool, call, question, now);
  if (typeof callback !== 'function') return { outcome: { status: 'asks', callback } };
  return { outcome: { status: 'ended', by: 'fail', error: callback } };
}

/** Turns a tool's error into the call's outcome, which the model reads, or throws it to the state machine. */
async function failed(
  { table, now }: ToolRuntime,
  tool: FunctionTool,
  conversationId: string,
  call: StoredCall,
  error: Error,
): Promise<Tried> {
  if (isThrottled(error, tool)) {
    await takeBackAttempt(table, conversationId, call, tool, now());
    throw error.name === 'Throttled' ? error : new Throttled(failureWords(error), { cause: error });
  }
  if (asksUser(tool, error)) return asked(tool, call, error as AsksUser, now());
  const message = failureWords(error);
  const { name } = error;
  if (asksFirst(tool, call, error)) {
    const callback = approvalOf(tool, call, { owner: call.user, why: message, sources: call.after, now: now() });
    return { outcome: { status: 'asks', callback } };
  }
  const noEffect = name === 'ToolFailed' || isFinal(error);
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
  throw noEffect ? error : new ToolFailed(message, { cause: error });
}
