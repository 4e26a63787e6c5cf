import { Source } from '../../base/content/sources';
import {
  anyText,
  anything,
  checkOptions,
  fields,
  isPlain,
  listOf,
  oneOf,
  optional,
  type Rule,
  type RulesOf,
  recordOf,
  rule,
  text,
} from '../../base/schemas/definition';
import {
  catchUps,
  longestJitterSeconds,
  type NewTimer,
  overlaps,
  type Policies,
  shortestIntervalSeconds,
  type Rule as TimerRule,
} from '../../base/time/rule';
import type { RowWrite } from '../store/write';

/**
 * An effect in Vigil's table. It commits in the same transaction as the call's completion, so it happens once. If the condition of
 * a row fails, nothing is written and `execute` runs again.
 */
export interface TableEffect<Output> {
  output: Output;
  /** Messages to append to the conversation. */
  messages?: { role: 'assistant' | 'system'; text: string }[];
  /** A timer to create. Its id is the call's. */
  timer?: NewTimer;
  /** Rows of the conversation, or of partition `pk`, with their conditions. */
  rows?: RowWrite[];
  /** The outside sources of the output. By default, the tool's `source`. */
  sources?: Source[];
}

/** Marks an effect, because a tool's own result may have a field `output` too. */
const inOneTransaction = Symbol('table effect');
export type MarkedEffect<Output> = TableEffect<Output> & { [inOneTransaction]: true };
type KeyOf<Union> = Union extends Union ? keyof Union : never;

/** The rules for the policies of a recurring timer. */
export const policyRules: RulesOf<Policies> = {
  overlap: optional(oneOf(...overlaps)),
  catchUp: optional(oneOf(...catchUps)),
  jitterSeconds: optional(
    rule(
      (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= longestJitterSeconds,
      `must be a whole number from 0 to ${longestJitterSeconds}`,
    ),
  ),
};

/** Returns the rule for a table effect; of rows, the fields of all kinds. A function, because bundles without effects leave it out. */
function effectRule() {
  const time = rule((value) => value instanceof Date && !Number.isNaN(value.getTime()), 'must be a Date');
  const seconds = rule(
    (value) => Number.isSafeInteger(value) && Number(value) >= shortestIntervalSeconds,
    `must be a whole number of at least ${shortestIntervalSeconds}`,
  );
  const rhythm: Rule = (value, at) =>
    isPlain(value) && (value.cron === undefined) === (value.everySeconds === undefined)
      ? [at, 'must have either "cron" or "everySeconds"']
      : fields<TimerRule>({ cron: optional(text), timeZone: optional(text), everySeconds: optional(seconds) })(
          value,
          at,
        );
  type TimerOf<Kind> = Extract<NewTimer, { kind: Kind }>;
  const said = { kind: anything, at: time, text };
  const timers = {
    once: fields<TimerOf<'once'>>(said),
    repeat: fields<TimerOf<'repeat'>>({ ...said, rule: rhythm, ...policyRules }),
    tool: fields<TimerOf<'tool'>>({ kind: anything, at: time, tool: text, arguments: recordOf(anything) }),
  };
  const timer: Rule = (value, at) => {
    const kind = isPlain(value) ? String(value.kind) : '';
    return Object.hasOwn(timers, kind)
      ? timers[kind as NewTimer['kind']](value, at)
      : [`${at}.kind`, 'must be "once", "repeat" or "tool"'];
  };
  const row = fields<Record<KeyOf<RowWrite>, unknown>>({
    pk: optional(text),
    sk: text,
    put: anything,
    set: anything,
    remove: anything,
    onlyIf: anything,
    add: anything,
    atMost: anything,
    mark: anything,
    todo: anything,
  });
  const message = fields<{ role: string; text: string }>({ role: oneOf('assistant', 'system'), text: anyText });
  return fields<TableEffect<unknown>>({
    output: anything,
    messages: optional(listOf(message)),
    timer: optional(timer),
    rows: optional(listOf(row)),
    sources: optional(listOf(oneOf(...Source.options))),
  });
}

/**
 * Marks what `execute` returns as an effect: its rows, messages and timer commit with the call, or not at all.
 *
 * @throws ConfigurationError that names the field: an effect without what its tool meant would be another one.
 * @example
 * ```ts
 * import { defineTool, tableEffect } from 'vigil';
 * import * as z from 'zod';
 *
 * export const callBack = defineTool({
 *   name: 'call_back',
 *   description: 'Reminds the user in an hour. It calls nobody.',
 *   input: z.object({ whom: z.string().describe('Whom the user wants to call') }),
 *   output: z.object({ timer_id: z.string() }),
 *   effect: 'table',
 *   async execute({ whom }, { callId, now }) {
 *     const at = new Date(now.getTime() + 3_600_000);
 *     return tableEffect({ output: { timer_id: callId }, timer: { kind: 'once', at, text: `Call ${whom}` } });
 *   },
 * });
 * ```
 */
export function tableEffect<Output>(effect: TableEffect<Output>): MarkedEffect<Output> {
  checkOptions('tableEffect', effect, effectRule());
  return { ...effect, [inOneTransaction]: true };
}
/**
 * Returns a result with the outside sources of its words, for a tool whose results have some only at times.
 *
 * @example
 * ```ts
 * import { withSources } from 'vigil';
 *
 * // A note that was kept after a web page had been read.
 * const found = withSources({ text: 'Open until 20:00' }, ['web']);
 * found.output; // → { text: 'Open until 20:00' }
 * found.sources; // → ['web']
 * ```
 */
export const withSources = <Output>(output: Output, sources: Source[] | undefined): MarkedEffect<Output> =>
  tableEffect({ output, sources: sources ?? [] });
export const isTableEffect = (returned: unknown): returned is TableEffect<unknown> =>
  typeof returned === 'object' && returned !== null && Object.hasOwn(returned, inOneTransaction);
