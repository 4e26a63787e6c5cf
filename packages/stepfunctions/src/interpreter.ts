/**
 * The entry `vigil-stepfunctions/interpreter`: the interpreter alone, for tests that decide what happens next. `start` and
 * `apply` are pure: each takes an execution and an input, and returns the effects that a caller carries out.
 *
 * @packageDocumentation
 */
export type { Branch, Execution } from './execution/execution';
export type { HistoryEvent } from './execution/history';
export type { Program } from './execution/program';
export type { Dispatch, Effect } from './execution/transition';
export { nextAlarm } from './interpreter/alarms';
export { applies, apply, type Input, start } from './interpreter/apply';
export type { Json, JsonObject } from './language/json';
export { driveAtOnce } from './language/steps';
export { compileProgram } from './states/compile';
