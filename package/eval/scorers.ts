import type { Callback, Conversation } from 'vigil-client';
import { asksFor } from 'vigil-client/shared';
import {
  anyText,
  anything,
  checkOptions,
  fields,
  number,
  oneOf,
  optional,
  rule,
  text,
} from '../../core/base/schemas/definition';
import { ConfigurationError } from '../../core/base/text/errors';
import type { AskJudge, Judge } from './judge';
import { difference } from './matches';

/** A score from 0 (does not hold) to 1 (holds), and why it is not 1. */
export interface Score {
  score: number;
  why: string;
  /** Whether it holds, where less than 1 is enough. By default, whether the score is 1. */
  holds?: boolean;
}

/** What a scorer may use besides the conversation. */
export interface ScoreContext {
  /** Asks a model. Missing where the stand-in plays, which cannot judge. */
  ask?: AskJudge;
}

/** Judges the recorded conversation of a case. It has its whole messages, calls and callbacks. */
export interface Scorer {
  /** Its column in a report. */
  name: string;
  /** Returns undefined if it cannot judge here: the report then lists it as left out. */
  score(conversation: Conversation, context: ScoreContext): Score | undefined | Promise<Score | undefined>;
  /** Of a `judge`: what it looks for, in full. `vigil eval agree` compares it with people. */
  judge?: Required<Judge>;
}

export type Call = Conversation['calls'][number];

/** What became of a call. */
export type CallOutcome = 'completed' | 'denied' | 'expired' | 'failed' | 'undone' | 'cancelled' | 'unknown' | 'open';

/** What else must hold of the calls with these arguments. */
export interface CalledOptions {
  /** What became of them. */
  outcome?: CallOutcome;
  /** Fields of their results. */
  result?: unknown;
  /** How many there are, exactly; 0 for none. By default, at least one. */
  times?: number;
}

/** Bounds of what a conversation may use. */
export interface Most {
  /** Calls of models. */
  steps?: number;
  costMicrodollars?: number;
  /** Input and output together. */
  tokens?: number;
  /** Of the slowest call of a model, from its request to its stored reply. */
  latencyMs?: number;
}

/** The part of a zod schema that a scorer uses. */
interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/**
 * Holds if the tool is called with these arguments. Only the fields that you name are compared; a regular expression
 * matches a text. Without an `outcome`, a call counts whether it was made, denied or failed.
 *
 * @example
 * ```ts
 * import { called } from 'vigil/eval';
 *
 * called('refund', { ticket: /^T-/, cents: 4_500 }).name; // → 'called refund {"ticket":"/^T-/","cents":4500}'
 * called('refund', { cents: 4_500 }, { outcome: 'completed', times: 1 }).name; // → 'called refund {"cents":4500} completed 1 time'
 * called('refund', {}, { outcome: 'paid' as never }); // throws called: outcome: must be "completed", "denied"
 * ```
 */
export function called(tool: string, args?: object, options: CalledOptions = {}): Scorer {
  named('called', tool);
  checkOptions('called', options, calledRule);
  const { outcome, result: expected, times } = options;
  const name = [
    'called',
    tool,
    ...(args && Object.keys(args).length > 0 ? [shown(args)] : []),
    ...(outcome ? [outcome] : []),
    ...(expected === undefined ? [] : [`with the result ${shown(expected)}`]),
    ...(times === undefined ? [] : [`${times} ${times === 1 ? 'time' : 'times'}`]),
  ].join(' ');
  return scorer(name, ({ calls, callbacks }) => {
    const found = calls.filter((one) => one.tool === tool);
    const misses = found.map((one) => {
      const became = outcomeOf(one, callbacks);
      return (
        difference(args ?? {}, one.arguments ?? {}, '') ??
        (outcome !== undefined && outcome !== became ? `the call is ${became}` : undefined) ??
        (expected === undefined ? undefined : difference(expected, one.result, 'result'))
      );
    });
    const fitting = misses.filter((miss) => miss === undefined).length;
    if (times === undefined ? fitting > 0 : fitting === times) return undefined;
    if (times !== undefined && fitting > 0) return `there are ${fitting} such calls`;
    return misses.at(-1) ?? `the calls are ${listed(calls)}`;
  });
}

const outcomes = ['completed', 'denied', 'expired', 'failed', 'undone', 'cancelled', 'unknown', 'open'] as const;
const calledRule = fields<CalledOptions>({
  outcome: optional(oneOf(...outcomes)),
  result: anything,
  times: optional(rule((value) => Number.isInteger(value) && Number(value) >= 0, 'must be a whole number')),
});

/** Returns what became of a call. A call that somebody has denied has failed, too, so that its model reads why. */
export function outcomeOf({ status, callbackId }: Call, callbacks: readonly Callback[]): CallOutcome {
  if (status === 'queued' || status === 'running' || status === 'waiting') return 'open';
  if (status !== 'failed') return status;
  const asked = callbacks.find(({ id, kind }) => id === callbackId && asksFor(kind, 'decision'));
  if (asked?.status === 'expired') return 'expired';
  return (asked?.outcome as { approved?: boolean } | undefined)?.approved === false ? 'denied' : 'failed';
}

/**
 * Holds if the tool is never called.
 *
 * @example
 * ```ts
 * import { neverCalled } from 'vigil/eval';
 *
 * neverCalled('refund').name; // → 'never called refund'
 * ```
 */
export function neverCalled(tool: string): Scorer {
  named('neverCalled', tool);
  return scorer(`never called ${tool}`, ({ calls }) => {
    const found = calls.filter((one) => one.tool === tool);
    return found.length === 0 ? undefined : `it was called with ${found.map((one) => shown(one.arguments)).join(', ')}`;
  });
}

/**
 * Holds if the tools are called in this order. Other calls may lie between them.
 *
 * @example
 * ```ts
 * import { order } from 'vigil/eval';
 *
 * order('get_balance', 'transfer').name; // → 'order get_balance, transfer'
 * order('transfer'); // throws name at least two tools
 * ```
 */
export function order(...tools: string[]): Scorer {
  for (const tool of tools) named('order', tool);
  if (tools.length < 2) throw new ConfigurationError('order: name at least two tools.');
  return scorer(`order ${tools.join(', ')}`, ({ calls }) => {
    let due = 0;
    for (const { tool } of calls) if (tool === tools[due]) due += 1;
    return due === tools.length ? undefined : `${tools[due]} is missing at its place: the calls are ${listed(calls)}`;
  });
}

/**
 * Holds if the result of the last run, of an agent with an output, fits a schema or has these fields.
 *
 * @example
 * ```ts
 * import { result } from 'vigil/eval';
 * import * as z from 'zod';
 *
 * result({ day: 'monday' }).name; // → 'result {"day":"monday"}'
 * result(z.object({ day: z.string() })).name; // → 'result fits its schema'
 * ```
 */
export function result(expected: object): Scorer {
  const schema = 'safeParse' in expected ? (expected as Schema) : undefined;
  return scorer(schema ? 'result fits its schema' : `result ${shown(expected)}`, ({ run }) => {
    if (run?.result === undefined) return 'the last run has no result';
    if (!schema) return difference(expected, run.result, '');
    const [issue] = schema.safeParse(run.result).error?.issues ?? [];
    return issue && `${[...issue.path, issue.message].map(String).join(': ')}`;
  });
}

/**
 * Holds if somebody is asked to approve a call of the tool, whatever they decide.
 *
 * @example
 * ```ts
 * import { askedForApproval } from 'vigil/eval';
 *
 * askedForApproval('refund').name; // → 'asked for approval of refund'
 * ```
 */
export function askedForApproval(tool: string): Scorer {
  named('askedForApproval', tool);
  return scorer(`asked for approval of ${tool}`, ({ callbacks, calls }) => {
    const asked = callbacks.some((one) => asksFor(one.kind, 'decision') && one.tool === tool);
    return asked ? undefined : `nobody was asked: the calls are ${listed(calls)}`;
  });
}

/**
 * Holds if a reply of an agent contains the text, or matches the regular expression.
 *
 * @example
 * ```ts
 * import { says } from 'vigil/eval';
 *
 * says(/closed on mondays/i).name; // → 'says /closed on mondays/i'
 * ```
 */
export function says(words: string | RegExp): Scorer {
  const has = finder('says', words);
  return scorer(`says ${shown(words)}`, (conversation) => {
    const replies = repliesOf(conversation);
    if (replies.some(has)) return undefined;
    return replies.length > 0 ? `the last reply is ${shown(replies.at(-1))}` : 'there is no reply';
  });
}

/**
 * Holds if no reply of an agent contains the text, or matches the regular expression. A case without a reply fails,
 * because it shows nothing.
 *
 * @example
 * ```ts
 * import { neverSays } from 'vigil/eval';
 *
 * neverSays('guarantee').name; // → 'never says "guarantee"'
 * ```
 */
export function neverSays(words: string | RegExp): Scorer {
  const has = finder('neverSays', words);
  return scorer(`never says ${shown(words)}`, (conversation) => {
    const replies = repliesOf(conversation);
    if (replies.length === 0) return 'there is no reply';
    const found = replies.find(has);
    return found === undefined ? undefined : `a reply is ${shown(found)}`;
  });
}

/**
 * Holds if the conversation uses at most so many calls of models, so much money and so many tokens, and no call of a model
 * takes longer.
 *
 * @example
 * ```ts
 * import { atMost } from 'vigil/eval';
 *
 * atMost({ steps: 4, costMicrodollars: 20_000 }).name; // → 'at most 4 steps, 20000 costMicrodollars'
 * atMost({}); // throws name at least one
 * ```
 */
export function atMost(most: Most): Scorer {
  checkOptions('atMost', most, mostRule);
  const bounds = Object.entries(most).filter(([, bound]) => bound !== undefined) as [keyof Most, number][];
  if (bounds.length === 0)
    throw new ConfigurationError('atMost: name at least one of steps, costMicrodollars, tokens, latencyMs.');
  return scorer(`at most ${bounds.map(([what, bound]) => `${bound} ${what}`).join(', ')}`, ({ usage, messages }) => {
    const used = {
      steps: usage.modelCalls,
      costMicrodollars: usage.costMicrodollars,
      tokens: usage.inputTokens + usage.outputTokens,
      latencyMs: longestReplyMs(messages),
    };
    // An unknown price would let every bound hold.
    if (most.costMicrodollars !== undefined && usage.unpricedCalls)
      return `${usage.unpricedCalls} calls of models have no price: add their models to VIGIL_PRICES`;
    const over = bounds.find(([what, bound]) => used[what] > bound);
    // Milliseconds differ each time, and a report is to be the same.
    if (over?.[0] === 'latencyMs') return 'a call of a model took longer';
    return over && `it used ${used[over[0]]} ${over[0]}`;
  });
}

/**
 * Returns how long the slowest reply took. A clock moves only when no function runs, so this is real time. Replies that are
 * made in the background, or at a later attempt, were waited for meanwhile.
 */
const longestReplyMs = (messages: Conversation['messages']): number =>
  Math.max(
    0,
    ...messages
      .filter((one) => one.step !== undefined && one.completedAt && !one.background && !one.failedAttempts)
      .map(({ createdAt, completedAt }) => Date.parse(completedAt!) - Date.parse(createdAt)),
  );

const mostRule = fields<Most>({
  steps: optional(number),
  costMicrodollars: optional(number),
  tokens: optional(number),
  latencyMs: optional(number),
});

/** @param problemOf returns why it does not hold. */
const scorer = (name: string, problemOf: (conversation: Conversation) => string | undefined): Scorer => ({
  name,
  score(conversation) {
    const why = problemOf(conversation);
    return why === undefined ? { score: 1, why: '' } : { score: 0, why };
  },
});

const named = (whose: string, tool: string): void =>
  checkOptions(whose, { tool }, fields<{ tool: string }>({ tool: text }));

function finder(whose: string, words: string | RegExp): (reply: string) => boolean {
  // A stateful expression (/g, /y) would begin its next search where it found something.
  if (words instanceof RegExp) return (reply) => new RegExp(words.source, words.flags.replace(/[gy]/g, '')).test(reply);
  checkOptions(whose, { words }, fields<{ words: string }>({ words: words === '' ? text : anyText }));
  return (reply) => reply.includes(words);
}

const repliesOf = ({ messages }: Conversation): string[] =>
  messages.filter(({ role, text: words }) => role === 'assistant' && words !== '').map(({ text: words }) => words);

const listed = (calls: Conversation['calls']): string => calls.map(({ tool }) => tool).join(', ') || 'none';

const shown = (value: unknown): string =>
  value instanceof RegExp
    ? String(value)
    : String(JSON.stringify(value, (_, one) => (one instanceof RegExp ? String(one) : one)));
