/** `vigil/eval`: cases for an agent, played on this machine in moved time, and what must hold in them. @packageDocumentation */

export {
  type Act,
  type AnswerAct,
  type ApproveAct,
  type Case,
  type CaseLimits,
  type DenyAct,
  defineEval,
  type Eval,
  type EvalSpec,
  type FromRecording,
  type PassAct,
  type SayAct,
} from './define';
export { type Agreement, type AskJudge, agreement, type Judge, judge, type Question, type VerdictPair } from './judge';
export {
  askedForApproval,
  atMost,
  type CalledOptions,
  type CallOutcome,
  called,
  type Most,
  neverCalled,
  neverSays,
  order,
  result,
  type Score,
  type ScoreContext,
  type Scorer,
  says,
} from './scorers';
export type { AnsweredBy, AnsweredCall, StandIn } from './tool-rules';
