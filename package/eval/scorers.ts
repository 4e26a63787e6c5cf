import type { Conversation } from 'vigil-client';
import { anyText, checkOptions, fields, number, optional, text } from '../../core/base/schemas/definition';
import { ConfigurationError } from '../../core/base/text/errors';
import { difference } from './matches';

/** A score from 0 (does not hold) to 1 (holds), and why it is not 1. */
export interface Score {
  score: number;
  why: string;
}

/** Judges the recorded conversation of a case. It has its whole messages, calls and callbacks. */
export interface Scorer {
  /** Its column in a report. */
  name: string;
  score(conversation: Conversation): Score | Promise<Score>;
}

/** Bounds of what a conversation may use. */
export interface Most {
  /** Calls of models. */
  steps?: number;
  costMicrodollars?: number;
  /** Input and output together. */
  tokens?: number;
}

/** The part of a zod schema that a scorer uses. */
interface Schema {
  safeParse(value: unknown): { success: boolean; error?: { issues: { path: PropertyKey[]; message: string }[] } };
}

/**
 * Holds if the tool is called with these arguments. Only the fields that you name are compared; a regular expression
 * matches a text. A call counts whether it was made, denied or failed.
 *
 * @example
 * ```ts
 * import { called } from 'vigil/eval';
 *
 * called('refund', { ticket: /^T-/, cents: 4_500 }).name; // → 'called refund {"ticket":"/^T-/","cents":4500}'
 * ```
 */
export function called(tool: string, args?: object): Scorer {
  named('called', tool);
  return scorer(`called ${tool}${args ? ` ${shown(args)}` : ''}`, ({ calls }) => {
    const found = calls.filter((one) => one.tool === tool);
    const misses = found.map((one) => difference(args ?? {}, one.arguments ?? {}, ''));
    if (misses.includes(undefined)) return undefined;
    return misses.at(-1) ?? `the calls are ${listed(calls)}`;
  });
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
    const asked = callbacks.some((one) => one.kind === 'approval' && one.tool === tool);
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
 * Holds if the conversation uses at most so many calls of models, so much money and so many tokens.
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
    throw new ConfigurationError('atMost: name at least one of steps, costMicrodollars, tokens.');
  return scorer(`at most ${bounds.map(([what, bound]) => `${bound} ${what}`).join(', ')}`, ({ usage }) => {
    const used = {
      steps: usage.modelCalls,
      costMicrodollars: usage.costMicrodollars,
      tokens: usage.inputTokens + usage.outputTokens,
    };
    // An unknown price would let every bound hold.
    if (most.costMicrodollars !== undefined && usage.unpricedCalls)
      return `${usage.unpricedCalls} calls of models have no price: add their models to VIGIL_PRICES`;
    const over = bounds.find(([what, bound]) => used[what] > bound);
    return over && `it used ${used[over[0]]} ${over[0]}`;
  });
}

const mostRule = fields<Most>({
  steps: optional(number),
  costMicrodollars: optional(number),
  tokens: optional(number),
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
