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
import { isTimeZone } from '../../core/base/time/time-zone';
import type { Scorer } from './scorers';
import type { StandIn } from './tool-rules';

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
  /** The group of the person who decides. By default, the user decides. */
  group?: string;
}
/** The denial of a pending call of this tool. */
export interface DenyAct extends Due {
  deny: string;
  /** The model reads it. */
  reason?: string;
  /** The group of the person who decides. By default, the user decides. */
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
  /** The first message. In a case from a recording, it replaces the user's last message before the step, and may be missing. */
  says?: string;
  /**
   * Who the user is, and what they want: a model plays them. It says what comes after `says`, also in answer to the agent's questions, until it is
   * done. Approvals stay acts, and acts come first.
   */
  persona?: string;
  /** Files that go with the first message: their paths. */
  files?: string[];
  /** Begins at a step of a recorded conversation, which the agent makes again as it is now. */
  from?: FromRecording;
  /**
   * Results of tools, by their names: a value, or a function of the arguments. What the function throws is an error that the model reads. These
   * tools do not run.
   */
  tools?: Record<string, StandIn>;
  /** In a case from a recording: the `read` tools that run; `true` for all of them. */
  live?: true | string[];
  /** What happens later, in order. */
  later?: Act[];
  /** Claims of the user's token. */
  claims?: Record<string, string>;
  /** Groups of the user. */
  groups?: string[];
  /** The user's time zone, as an IANA name. Without it, agents do not know one. */
  timeZone?: string;
  /** The scorers of this case, besides those of the eval. */
  holds?: Scorer[];
}

/** Where a case begins. */
export interface FromRecording {
  /** The file, such as `evals/recorded/refund.json`, or its content. */
  recording: string | object;
  /** The step that is made again, from 1. */
  step: number;
  /** The number of its run in the recording, from 1. By default, the last one. */
  run?: number;
}

/** Bounds that stop a case. */
export interface CaseLimits {
  /** Calls of models. By default, 40. */
  steps?: number;
  /** By default, a million: a dollar. */
  costMicrodollars?: number;
  /** Messages and answers of a persona. By default, 10. */
  turns?: number;
}

export interface EvalSpec {
  name: string;
  /** The name of the agent that the cases begin with. */
  agent: string;
  cases: Case[];
  /** The scorers of all cases. */
  scorers?: Scorer[];
  limits?: CaseLimits;
  /** Replace those of the agent: in a case from a recording, those of the agent that made the step. */
  instructions?: string;
  /** Each case is played once with each of these models. By default, with the models of the agents. */
  models?: string[];
}

/** A checked eval, which `vigil eval` plays. */
export interface Eval extends EvalSpec {
  readonly kind: 'eval';
}

const duration = rule(
  (value) => typeof value === 'string' && (parseDuration(value) ?? 0) > 0,
  'must be an ISO 8601 duration of weeks, days, hours, minutes and seconds, for example P3D or PT1H30M',
);
const zone = rule(
  (value) => typeof value === 'string' && isTimeZone(value),
  'must be an IANA time zone, for example Europe/Berlin',
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
const count = rule((value) => Number.isInteger(value) && Number(value) > 0, 'must be a whole number of at least 1');
const isFile = (value: unknown) => (typeof value === 'string' && value.trim() !== '') || isPlain(value);
const fromRule = fields<FromRecording>({
  recording: rule(isFile, 'must be the name of a file, or its content'),
  step: count,
  run: optional(count),
});
const names = listOf(text);
const liveRule: Rule = (value, at) => (value === true ? undefined : names(value, at));
const scorer = fields<Scorer>({ name: text, score: callable, judge: anything });
const evalRule = fields<EvalSpec>({
  name: text,
  agent: text,
  cases: listOf(
    fields<Case>({
      name: text,
      says: optional(text),
      persona: optional(text),
      later: optional(listOf(act)),
      claims: optional(recordOf(anyText)),
      groups: optional(listOf(text)),
      timeZone: optional(zone),
      holds: optional(listOf(scorer)),

      files: optional(listOf(text)),
      from: optional(fromRule),
      tools: optional(recordOf(anything)),
      live: optional(liveRule),
    }),
  ),
  scorers: optional(listOf(scorer)),
  limits: optional(
    fields<CaseLimits>({ steps: optional(number), costMicrodollars: optional(number), turns: optional(count) }),
  ),
  instructions: optional(text),
  models: optional(listOf(text)),
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
function problemOf({ cases, scorers = [], models = [] }: EvalSpec): Problem | undefined {
  if (cases.length === 0) return ['cases', 'must have at least one case'];
  const again = models.find((one, index) => models.indexOf(one) < index);
  if (again !== undefined) return ['models', `has "${again}" twice`];
  const names = cases.map((one) => one.name);
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) return [`cases[${twice}].name`, `"${names[twice]}" is the name of another case`];
  for (const [index, { holds = [], says, persona, files, from, live }] of cases.entries()) {
    if (says === undefined && persona === undefined && !from)
      return [`cases[${index}].says`, 'is missing: a case begins with it, with a `persona`, or `from` a recording'];
    if (files && from)
      return [`cases[${index}].files`, 'go with a first message, and this case begins from a recording'];
    if (live !== undefined && !from)
      return [`cases[${index}].live`, 'is for a case from a recording: in others, all tools run'];
    const all = [...scorers, ...holds].map((one) => one.name);
    if (all.length === 0) return [`cases[${index}].holds`, 'is missing: a case without a scorer shows nothing'];
    const twiceHere = all.find((one, place) => all.indexOf(one) < place);
    if (twiceHere) return [`cases[${index}].holds`, `has the scorer "${twiceHere}" twice`];
  }
  return undefined;
}
