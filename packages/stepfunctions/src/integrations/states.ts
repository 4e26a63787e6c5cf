import { randomUUID } from 'node:crypto';
import { ApiError } from '../api/api-error';
import { startExecution } from '../api/executions';
import { checkJson, checkName, requiredArn } from '../api/request';
import type { Engine } from '../engine/engine';
import { executionArn } from '../engine/entry';
import { type Integration, TaskError } from '../engine/integration';
import type { ExecutionView } from '../engine/view';
import { isObject, type Json, type JsonObject, jsonText, parseJson } from '../language/json';
import { nameUuid } from '../language/random';
import { sdkMetadata } from './sdk-metadata';

/** `states:::startExecution`: starts an execution on the same engine; `.sync` and `.sync:2` wait for its end. */
export function statesStartExecution(engine: Engine): Integration {
  return {
    async call(call) {
      const { StateMachineArn, Name, Input } = isObject(call.parameters) ? call.parameters : {};
      try {
        // Without a name, one that a repetition of the same call comes to as well.
        const name = checkName(typeof Name === 'string' ? Name : nameUuid(call.token));
        const text = typeof Input === 'string' ? Input : jsonText(Input ?? {});
        const input = checkJson(text, 'InvalidExecutionInput', 'input');
        const arn = requiredArn({ stateMachineArn: StateMachineArn ?? null }, 'stateMachineArn', 'stateMachine');
        const entry = await startExecution(engine, arn, name, input, call.token);
        return {
          ExecutionArn: executionArn(entry),
          ...sdkMetadata({ 'Content-Type': 'application/x-amz-json-1.0' }),
          StartDate: entry.startTime,
        };
      } catch (error) {
        throw refused(error);
      }
    },
    async watch(call, submitted) {
      const arn = String((submitted as JsonObject).ExecutionArn);
      const entry = engine.byArn(arn);
      if (entry) await engine.ended(entry);
      const view = await engine.look(arn);
      if (view === undefined) throw new TaskError('States.TaskFailed', 'The execution does not exist any more');
      return await result(arn, view, call.resource.pattern === '.sync:2');
    },
    async stop(call, submitted) {
      const entry = engine.byArn(String((submitted as JsonObject).ExecutionArn));
      const cause = `The Task state in AWS Step Functions execution [${call.executionArn}] which was managing this resource was aborted`;
      if (entry) engine.executions.tell(entry, { kind: 'stop', cause });
    },
  };
}

function refused(error: unknown): TaskError {
  if (!(error instanceof ApiError)) throw error;
  const name = error.type.endsWith('Exception') ? error.type : `${error.type}Exception`;
  return new TaskError(
    `StepFunctions.${name}`,
    `${error.message} (Service: AWSStepFunctions; Status Code: 400; Error Code: ${error.type}; Request ID: ${randomUUID()}; Proxy: null)`,
  );
}

/** `.sync` gives input and output as text, `.sync:2` as JSON; what has failed is described with text either way. */
async function result(arn: string, view: ExecutionView, parsed: boolean): Promise<Json> {
  const { error, cause, output, status, time } = (await view.outcome())!;
  const { name, startTime } = view.summary;
  const value = (text: string): Json => (parsed && status === 'SUCCEEDED' ? parseJson(text) : text);
  const described: JsonObject = {
    ...(cause !== undefined && { Cause: cause }),
    ...(error !== undefined && { Error: error }),
    ExecutionArn: arn,
    Input: value(await view.input()),
    InputDetails: { Included: true },
    Name: name,
    ...(output !== undefined && { Output: value(output), OutputDetails: { Included: true } }),
    StartDate: startTime,
    StateMachineArn: arn.replace(':execution:', ':stateMachine:').split(':').slice(0, 7).join(':'),
    Status: status,
    StopDate: time,
  };
  if (status !== 'SUCCEEDED') throw new TaskError('States.TaskFailed', jsonText(described));
  return described;
}
