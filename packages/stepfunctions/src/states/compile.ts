import { compileCatchers } from '../execution/catch';
import type { RuleOutput } from '../execution/data-flow';
import type { Block, Program } from '../execution/program';
import { compileRetriers } from '../execution/retry';
import type { State, StateType } from '../execution/state';
import { isObject, type Json, type JsonObject } from '../language/json';
import { compileChoice } from './choice';
import { compileFail } from './fail';
import { jsonataFlow, jsonataRule } from './jsonata-flow';
import { jsonPathFlow, jsonPathRule } from './jsonpath-flow';
import { compileMap } from './map';
import { compileParallel } from './parallel';
import { compilePass } from './pass';
import { limitedFlow, limitedRule } from './size-limits';
import { compileSucceed } from './succeed';
import { compileTask } from './task/task';
import { compileWait } from './wait';

/** The properties and functions that a state's file needs to compile its fields. */
export interface CompileContext {
  readonly name: string;
  /** The state's query language is JSONata. */
  readonly jsonata: boolean;
  /** The fields that every type of state has. */
  base(fields: JsonObject): Omit<State, 'enter'>;
  /** A catcher's or choice rule's output. `at` says where in the state it stands. */
  rule(fields: JsonObject, at: string): RuleOutput;
  /** A branch or an item processor; it inherits the state machine's query language. */
  block(fields: JsonObject): Block;
}

/** One file for each. */
export const stateTypes: Record<StateType, (fields: JsonObject, context: CompileContext) => State> = {
  Pass: compilePass,
  Task: compileTask,
  Choice: compileChoice,
  Wait: compileWait,
  Succeed: compileSucceed,
  Fail: compileFail,
  Parallel: compileParallel,
  Map: compileMap,
};

/**
 * Compiles a definition that has passed validation.
 *
 * @throws InvalidPath, or jsonata's error, for an expression that does not parse.
 * @example
 * ```ts
 * import { compileProgram } from 'vigil-stepfunctions/interpreter';
 *
 * const program = compileProgram({ StartAt: 'Greet', States: { Greet: { Type: 'Pass', Result: 'Hi', End: true } } });
 * program.startAt; // → 'Greet'
 * [...program.states.keys()]; // → ['Greet']
 * ```
 */
export function compileProgram(definition: JsonObject): Program {
  const block = compileBlock(definition, definition.QueryLanguage === 'JSONata');
  const { TimeoutSeconds } = definition;
  return typeof TimeoutSeconds === 'number' ? { ...block, timeoutSeconds: TimeoutSeconds } : block;
}

function compileBlock(fields: JsonObject, machineIsJsonata: boolean): Block {
  const states = new Map<string, State>();
  for (const [name, state] of Object.entries(fields.States as Record<string, JsonObject>)) {
    states.set(name, stateTypes[state.Type as StateType](state, contextOf(name, state, machineIsJsonata)));
  }
  return { startAt: fields.StartAt as string, states };
}

function contextOf(name: string, state: JsonObject, machineIsJsonata: boolean): CompileContext {
  const jsonata = state.QueryLanguage === undefined ? machineIsJsonata : state.QueryLanguage === 'JSONata';
  const rule = (fields: JsonObject, at: string): RuleOutput =>
    limitedRule(jsonata ? jsonataRule(fields, at) : jsonPathRule(fields), name);
  return {
    name,
    jsonata,
    rule,
    base: (fields) => ({
      name,
      type: fields.Type as StateType,
      next: fields.Next as string | undefined,
      flow: limitedFlow(jsonata ? jsonataFlow(fields) : jsonPathFlow(fields), name),
      retriers: compileRetriers(objects(fields.Retry)),
      catchers: compileCatchers(objects(fields.Catch), rule),
    }),
    block: (fields) => compileBlock(fields, machineIsJsonata),
  };
}

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
