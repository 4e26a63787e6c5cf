import type { Engine } from '../../engine/engine';
import { type Integration, TaskError } from '../../engine/integration';
import type { Execution } from '../../execution/execution';
import type { HistoryEvent } from '../../execution/history';
import type { Dispatch, Effect } from '../../execution/transition';
import { apply, type Input, start } from '../../interpreter/apply';
import { covers, errorNames } from '../../language/errors';
import { isObject, type JsonObject } from '../../language/json';
import { drive } from '../../language/steps';
import { compileProgram } from '../../states/compile';
import { type Action, checkJson, checkOneOf, checkRole, optionalText } from '../request';
import { identityOf, objectField } from './identity';
import { type Failed, inspect } from './inspection';
import { mapRun } from './map-run';
import { type Mock, readMock } from './mock-rules';
import { alone, asTask, stateUnderTest, testedName } from './state-under-test';

/** Runs one state, alone, and tells what it came to. A mock stands in for whatever the state would call. */
const testState: Action = async (engine, body) => {
  checkOneOf(body, 'inspectionLevel', ['INFO', 'DEBUG', 'TRACE']);
  const roleArn = optionalText(body, 'roleArn');
  if (roleArn !== undefined) checkRole(roleArn);
  const tested = stateUnderTest(body);
  const mock = await readMock(body, tested.state);
  const input = checkJson(optionalText(body, 'input') ?? '{}', 'InvalidExecutionInput', 'input');
  const variables = objectField(body, 'variables') ?? {};
  const identity = identityOf(engine, body, tested, input);
  const program = compileProgram(alone(asTask(tested)));
  const events: HistoryEvent[] = [];
  const record = (event: HistoryEvent) => events.push(event);
  const { execution, effects } = await drive(start(program, identity, record, variables));
  const configuration = isObject(body.stateConfiguration) ? body.stateConfiguration : {};
  const map = tested.state.Type === 'Map' ? await mapRun(tested, execution, configuration) : undefined;
  const outcome = map?.failure ?? (mock && 'error' in mock ? mock : (map?.exceeded ?? mock));
  await settle(engine, execution, effects, outcome, configuration, record);
  const failed = failureOf(execution);
  const answer = describe(execution, events, failed);
  if (body.inspectionLevel !== 'DEBUG' && body.inspectionLevel !== 'TRACE') return answer;
  return { ...answer, inspectionData: { ...(await inspect(tested, execution, input, events, failed)), ...map?.shown } };
};

/** Lets the state go on until it has left its work behind: its call is made or mocked, its sleep skipped. */
async function settle(
  engine: Engine,
  execution: Execution,
  first: Effect[],
  mock: Mock | undefined,
  { retrierRetryCount }: JsonObject,
  history: (event: HistoryEvent) => void,
): Promise<void> {
  const { root } = execution;
  const waiting = root.waiting;
  if (waiting?.kind === 'until') {
    await drive(apply(execution, { kind: 'alarm' }, waiting.at, history));
    return;
  }
  const dispatch = first.find((effect): effect is Dispatch => effect.kind === 'dispatch');
  if (waiting?.kind !== 'task' || dispatch === undefined) return;
  const { task } = waiting;
  if (waiting.scheduled === false) await drive(apply(execution, { kind: 'started', task }, execution.time, history));
  const input = mock ? mocked(mock, task) : await called(engine, execution, dispatch);
  if (input.kind === 'failed' && typeof retrierRetryCount === 'number') {
    const retry = root.state.retriers.findIndex(({ errorEquals }) => covers(errorEquals, input));
    if (retry >= 0) root.attempts[retry] = retrierRetryCount;
  }
  await drive(apply(execution, input, execution.time, history));
}

/** Returns the failure of the state: of its call, or of the processing of its data. */
function failureOf({ root, program }: Execution): Failed | undefined {
  const { failure } = root;
  if (failure === undefined) return undefined;
  const { retriers, catchers } = program.states.get(testedName)!;
  const retry = retriers.findIndex(({ errorEquals }) => covers(errorEquals, failure));
  const caught = catchers.findIndex(({ errorEquals }) => covers(errorEquals, failure));
  return { error: failure.error, cause: failure.cause, retry, retrier: retriers[retry], caught };
}

const mocked = (mock: Mock, task: number): Input =>
  'error' in mock ? { kind: 'failed', task, ...mock } : { kind: 'succeeded', task, output: mock.result };

async function called(engine: Engine, execution: Execution, { task, resource, request }: Dispatch): Promise<Input> {
  const integration: Integration | undefined = engine.options.integration(engine, resource);
  const { roleArn, arn } = execution.identity;
  const call = {
    resource,
    parameters: request.parameters,
    principal: roleArn ?? '',
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

/** There is no execution in which the state was entered: AWS leaves the sentence out. */
const withoutPlace = (text: string): string =>
  text.replaceAll(/An error occurred while executing the state 'StateName' \(entered at the event id #\d+\)\. /g, '');

function describe({ root, outcome }: Execution, events: HistoryEvent[], failure: Failed | undefined): JsonObject {
  const said = (status: string, { error, cause }: { error?: string; cause?: string }): JsonObject => ({
    status,
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause: withoutPlace(cause) }),
  });
  if (root.waiting?.kind === 'retry') return said('RETRIABLE', failure ?? {});
  if (outcome?.status === 'FAILED') return said('FAILED', outcome);
  if (outcome?.status === 'TIMED_OUT') return said('FAILED', { error: errorNames.timeout });
  const exit = events.find(({ type, details }) => type.endsWith('StateExited') && details?.name === testedName);
  const next = events.find(({ type, details }) => type.endsWith('StateEntered') && details?.name !== testedName);
  return {
    ...said(failure ? 'CAUGHT_ERROR' : 'SUCCEEDED', failure ?? {}),
    output: withoutPlace(String(exit?.details?.output ?? outcome?.output ?? '{}')),
    ...(next && { nextState: String(next.details?.name) }),
  };
}

export const testStateActions: Record<string, Action> = { TestState: testState };
