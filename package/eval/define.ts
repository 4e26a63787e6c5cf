import {
  anyText,
  anything,
  callable,
  checkOptions,
  fields,
  isPlain,
  listOf,
  number,
  optional,
  type Problem,
  type Rule,
  recordOf,
  rule,
  text,
} from '../../core/base/schemas/definition';
import { ConfigurationError } from '../../core/base/text/errors';
import { parseDuration } from '../../core/base/time/duration';
import type { Scorer } from './scorers';

/** When an act is due: this long after the act before it, as an ISO 8601 duration. Without it, as soon as it can be taken. */
interface Due {
  after?: string;
}

/** A later message of the user. */
export interface SayAct extends Due {
  says: string;
}
/** The approval of a pending call of this tool. */
export interface ApproveAct extends Due {
  approve: string;
  /** Edited arguments. */
  arguments?: Record<string, unknown>;
  /** The group of whoever decides. By default, the user decides. */
  group?: string;
}
/** The denial of a pending call of this tool. */
export interface DenyAct extends Due {
  deny: string;
  /** The model reads it. */
  reason?: string;
  /** The group of whoever decides. By default, the user decides. */
  group?: string;
}
/** The answer to the pending question of the agent. */
export interface AnswerAct extends Due {
  answer: string;
}
/** Time passes, and timers, waits and expiries that are due happen. */
export interface PassAct {
  after: string;
}
/** What happens next in a case. */
export type Act = SayAct | ApproveAct | DenyAct | AnswerAct | PassAct;

/** One conversation with the agent: what its user says and decides, and what must hold in the end. */
export interface Case {
  name: string;
  /** The first message. */
  says: string;
  /** What happens later, in order. */
  later?: Act[];
  /** Claims of the user's token. */
  claims?: Record<string, string>;
  /** Groups of the user. */
  groups?: string[];
  /** The scorers of this case, besides those of the eval. */
  holds?: Scorer[];
}

/** Bounds that stop a case. */
export interface CaseLimits {
  /** Calls of models. By default, 40. */
  steps?: number;
  /** By default, a million: a dollar. */
  costMicrodollars?: number;
}

export interface EvalSpec {
  name: string;
  /** The name of the agent that the cases begin with. */
  agent: string;
  cases: Case[];
  /** The scorers of all cases. */
  scorers?: Scorer[];
  limits?: CaseLimits;
}

/** A checked eval, which `vigil eval` plays. */
export interface Eval extends EvalSpec {
  readonly kind: 'eval';
}

const duration = rule(
  (value) => typeof value === 'string' && (parseDuration(value) ?? 0) > 0,
  'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, for example P3D or PT1H30M',
);
const after = optional(duration);
const pass: Rule = (value, at) => {
  const other = isPlain(value) ? Object.keys(value).find((field) => field !== 'after') : undefined;
  if (isPlain(value) && other === undefined) return fields<PassAct>({ after: duration })(value, at);
  return [other ? `${at}.${other}` : at, 'is no act: name one of says, approve, deny, answer, after'];
};
const decision = { after, group: optional(text) };
/** By the field that only this kind of act has. */
const kinds: Readonly<Record<string, Rule>> = {
  says: fields<SayAct>({ after, says: text }),
  approve: fields<ApproveAct>({ ...decision, approve: text, arguments: optional(recordOf(anything)) }),
  deny: fields<DenyAct>({ ...decision, deny: text, reason: optional(text) }),
  answer: fields<AnswerAct>({ after, answer: text }),
};
const act: Rule = (value, at) => {
  const kind = Object.keys(kinds).find((field) => isPlain(value) && value[field] !== undefined);
  return (kind ? kinds[kind]! : pass)(value, at);
};
const scorer = fields<Scorer>({ name: text, score: callable });
const evalRule = fields<EvalSpec>({
  name: text,
  agent: text,
  cases: listOf(
    fields<Case>({
      ...{ name: text, says: text, later: optional(listOf(act)), claims: optional(recordOf(anyText)) },
      ...{ groups: optional(listOf(text)), holds: optional(listOf(scorer)) },
    }),
  ),
  scorers: optional(listOf(scorer)),
  limits: optional(fields<CaseLimits>({ steps: optional(number), costMicrodollars: optional(number) })),
});

/**
 * Declares an eval: cases for an agent, and the scorers that say what must hold. `vigil eval` plays it.
 *
 * @throws ConfigurationError in one line, which names the eval and the field.
 * @example
 * ```ts
 * import { askedForApproval, called, defineEval, neverCalled } from 'vigil/eval';
 *
 * const refunds = defineEval({
 *   name: 'refunds',
 *   agent: 'clerk',
 *   cases: [
 *     {
 *       name: 'a large refund waits for an approval',
 *       says: 'I want 45 dollars for ticket T-1 back.',
 *       later: [{ after: 'P2D', approve: 'refund', group: 'finance' }],
 *       holds: [called('refund', { cents: 4_500 }), askedForApproval('refund')],
 *     },
 *     { name: 'a question about refunds', says: 'Do you give refunds?', holds: [neverCalled('refund')] },
 *   ],
 * });
 * refunds.cases.length; // → 2
 * defineEval({ name: 'empty', agent: 'clerk', cases: [] }); // throws Eval empty: cases: must have at least one case
 * ```
 */
export function defineEval(spec: EvalSpec): Eval {
  const name = typeof spec?.name === 'string' && spec.name.trim() ? ` ${spec.name}` : '';
  checkOptions(`Eval${name}`, spec, evalRule);
  const problem = problemOf(spec);
  if (problem) throw new ConfigurationError(`Eval${name}: ${problem.join(': ')}.`);
  return { ...spec, kind: 'eval' };
}

/** What a check of single fields cannot see. */
function problemOf({ cases, scorers = [] }: EvalSpec): Problem | undefined {
  if (cases.length === 0) return ['cases', 'must have at least one case'];
  const names = cases.map((one) => one.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) return [`cases[${twice}].name`, `"${names[twice]}" is the name of another case`];
  for (const [index, { holds = [] }] of cases.entries()) {
    const all = [...scorers, ...holds].map((one) => one.name);
    if (all.length === 0) return [`cases[${index}].holds`, 'is missing: a case without a scorer shows nothing'];
    const again = all.find((one, place) => all.indexOf(one) < place);
    if (again) return [`cases[${index}].holds`, `has the scorer "${again}" twice`];
  }
  return undefined;
}
