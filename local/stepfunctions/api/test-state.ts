import type { Engine } from '../engine/engine';
import { type Integration, TaskError } from '../integrations/integration';
import { apply, type Input, start } from '../interpreter/apply';
import type { Execution, Identity } from '../interpreter/execution';
import type { HistoryEvent } from '../interpreter/history';
import type { Effect } from '../interpreter/transition';
import { isObject, type Json, type JsonObject } from '../language/json';
import { drive } from '../language/steps';
import { validateDefinition } from '../language/validate';
import { compileProgram } from '../states/compile';
import { ApiError, validationFailed } from './api-error';
import { inspect } from './inspection';
import { type Action, checkJson, optionalText, requiredText } from './request';

type Dispatch = Extract<Effect, { kind: 'dispatch' }>;

/** Runs one state, alone, and tells what it came to. A mock stands in for whatever the state would call. */
const testState: Action = async (engine, body) => {
  const { name, state } = stateUnderTest(body);
  const mock = isObject(body.mock) ? body.mock : undefined;
  const input = checkJson(optionalText(body, 'input') ?? '{}', 'InvalidExecutionInput', 'input');
  const machine = harness(name, state, typeof body.definition === 'string' ? JSON.parse(body.definition) : {});
  const errors = validateDefinition(JSON.stringify(machine));
  if (errors.length > 0)
    throw new ApiError(
      'InvalidDefinition',
      `Invalid State Machine Definition: '${errors.map(({ code, message, location }) => `${code}: ${message} at ${location}`).join(', ')}'`,
    );
  if (mock === undefined && needsMock(state)) {
    throw validationFailed(
      'State type requires a mock: activities, .sync and .waitForTaskToken tasks, Parallel and Map states are tested with one',
    );
  }
  const events: HistoryEvent[] = [];
  const program = compileProgram(machine);
  const identity = identityOf(engine, body, input);
  const { execution, effects } = await drive(
    start(program, identity, (event) => events.push(event), JSON.parse(optionalText(body, 'variables') ?? '{}')),
  );
  const failure = await settle(engine, execution, effects, mock, (event) => events.push(event));
  const answer = describe(name, execution, events, failure);
  if (body.inspectionLevel === 'DEBUG' || body.inspectionLevel === 'TRACE')
    answer.inspectionData = await inspect(state, execution, input, events, failure);
  return answer;
};

/** The definition is the state itself, or a state machine of which `stateName` names the state. */
function stateUnderTest(body: JsonObject): { name: string; state: JsonObject } {
  const definition = JSON.parse(checkJson(requiredText(body, 'definition'), 'InvalidDefinition', 'definition')) as Json;
  const name = optionalText(body, 'stateName');
  if (!isObject(definition))
    throw new ApiError('InvalidDefinition', "Invalid State Machine Definition: 'Value is not of type object'");
  if (name === undefined) return { name: 'TestState', state: definition };
  const state = isObject(definition.States) ? definition.States[name] : undefined;
  if (!isObject(state)) throw validationFailed(`State not found: ${name}`);
  return { name, state };
}

/** A state machine around the state, in which everything that it hands over to is an end. */
function harness(name: string, state: JsonObject, definition: JsonObject): JsonObject {
  const targets = new Set<string>();
  const note = (value: Json | undefined) => {
    if (typeof value === 'string') targets.add(value);
  };
  note(state.Next);
  note(state.Default);
  for (const list of [state.Choices, state.Catch]) {
    for (const rule of Array.isArray(list) ? list : []) if (isObject(rule)) note(rule.Next);
  }
  targets.delete(name);
  const ends = Object.fromEntries([...targets].map((target) => [target, { Type: 'Succeed' }]));
  const language = definition.States !== undefined ? definition.QueryLanguage : undefined;
  return {
    StartAt: name,
    ...(language !== undefined && { QueryLanguage: language }),
    States: { [name]: isContainer(state) ? mockable(state) : state, ...ends },
  };
}

const isContainer = ({ Type }: JsonObject) => Type === 'Parallel' || Type === 'Map';

/** A mocked Parallel or Map state works like a task: its result is given, what it does to the data is its own. */
function mockable({
  Branches,
  ItemProcessor,
  Iterator,
  ItemSelector,
  ItemsPath,
  Items,
  ItemReader,
  ItemBatcher,
  MaxConcurrency,
  ...rest
}: JsonObject): JsonObject {
  return { ...rest, Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
}

const needsMock = ({ Type, Resource }: JsonObject): boolean =>
  Type === 'Parallel' ||
  Type === 'Map' ||
  (Type === 'Task' && /:activity:|\.sync(:2)?$|\.waitForTaskToken$/.test(String(Resource)));

const identityOf = (engine: Engine, body: JsonObject, input: string): Identity => ({
  serial: 0,
  arn: `arn:aws:states:${engine.options.region}:${engine.options.accountId}:execution:TestState:test`,
  name: 'test',
  stateMachineArn: `arn:aws:states:${engine.options.region}:${engine.options.accountId}:stateMachine:TestState`,
  stateMachineName: 'TestState',
  roleArn: optionalText(body, 'roleArn') ?? '',
  region: engine.options.region,
  input,
  startTime: engine.clock.now(),
  seed: 'test',
});

interface Failed {
  error?: string;
  cause?: string;
}

/** Lets the state go on until it has left its work behind: its call is made or mocked, its sleep skipped. */
async function settle(
  engine: Engine,
  execution: Execution,
  first: Effect[],
  mock: JsonObject | undefined,
  history: (event: HistoryEvent) => void,
): Promise<Failed | undefined> {
  const { root } = execution;
  const waiting = root.waiting;
  if (waiting?.kind === 'until') {
    await drive(apply(execution, { kind: 'alarm' }, waiting.at, history));
    return undefined;
  }
  const dispatch = first.find((effect): effect is Dispatch => effect.kind === 'dispatch');
  if (waiting?.kind !== 'task' || dispatch === undefined) return undefined;
  const input = mock ? mocked(mock, waiting.task) : await called(engine, execution, dispatch);
  await drive(apply(execution, input, execution.time, history));
  return input.kind === 'failed' ? { error: input.error, cause: input.cause } : undefined;
}

function mocked({ result, errorOutput }: JsonObject, task: number): Input {
  if (isObject(errorOutput)) {
    return {
      kind: 'failed',
      task,
      error: optionalText(errorOutput, 'error'),
      cause: optionalText(errorOutput, 'cause'),
    };
  }
  return {
    kind: 'succeeded',
    task,
    output: JSON.parse(checkJson(String(result ?? 'null'), 'ValidationException', 'mock.result')) as Json,
  };
}

async function called(engine: Engine, execution: Execution, { task, resource, request }: Dispatch): Promise<Input> {
  const integration: Integration | undefined = engine.options.integration(engine, resource);
  const { roleArn, arn } = execution.identity;
  const call = {
    resource,
    parameters: request.parameters,
    principal: roleArn,
    executionArn: arn,
    token: request.token,
    signal: AbortSignal.timeout(300_000),
  };
  try {
    if (integration === undefined)
      throw new TaskError('States.Runtime', `This engine has no integration for the resource '${resource.arn}'`);
    engine.options.authorize(call);
    return { kind: 'succeeded', task, output: await integration.call(call) };
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return { kind: 'failed', task, error: error.error, cause: error.cause };
  }
}

function describe(
  name: string,
  { root, outcome }: Execution,
  events: HistoryEvent[],
  failure: Failed | undefined,
): JsonObject {
  const said = (status: string, { error, cause }: Failed): JsonObject => ({
    status,
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
  });
  if (root.waiting?.kind === 'retry') return said('RETRIABLE', failure ?? {});
  if (outcome?.status === 'FAILED') return said('FAILED', outcome);
  const exit = events.find(({ type, details }) => type.endsWith('StateExited') && details?.name === name);
  const next = events.find(({ type, details }) => type.endsWith('StateEntered') && details?.name !== name);
  return {
    ...said(failure ? 'CAUGHT_ERROR' : 'SUCCEEDED', failure ?? {}),
    output: String(exit?.details?.output ?? outcome?.output ?? '{}'),
    ...(next && { nextState: String(next.details?.name) }),
  };
}

export const testStateActions: Record<string, Action> = { TestState: testState };
