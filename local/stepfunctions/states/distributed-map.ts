import type { Branch, Writing } from '../interpreter/execution';
import type { Transition } from '../interpreter/transition';
import { errorNames, type Failure, runtimeFailure } from '../language/errors';
import type { Json, JsonObject } from '../language/json';
import type { CompileContext } from './compile';
import { compileBatcher } from './item-batcher';
import { compileReader } from './item-reader';
import type { MapMode } from './map';
import { numberField } from './number-field';
import { compileWriter } from './result-writer';
import type { TaskResource } from './task-resource';

/**
 * "Distributed mode": each iteration is a child execution with a history of its own. Here the children run inside their
 * parent, journaled with it; only the map run's own events stand in the parent's history, as on AWS.
 */
export function distributedMap(fields: JsonObject, context: CompileContext): MapMode {
  const reader =
    fields.ItemReader === undefined ? undefined : compileReader(fields.ItemReader as JsonObject, context.jsonata);
  const batch =
    fields.ItemBatcher === undefined ? undefined : compileBatcher(fields.ItemBatcher as JsonObject, context.jsonata);
  const count = numberField(fields, 'ToleratedFailureCount', context.jsonata);
  const percentage = numberField(fields, 'ToleratedFailurePercentage', context.jsonata);
  const label = (fields.Label as string | undefined) ?? context.name;
  const writer =
    fields.ResultWriter === undefined
      ? undefined
      : compileWriter(fields.ResultWriter as JsonObject, context.jsonata, label);

  /** Asks the world for something that the state itself needs. */
  function ask(
    transition: Transition,
    branch: Branch,
    resource: TaskResource,
    parameters: Json,
    writing?: Writing,
  ): void {
    const task = transition.nextId();
    const request = { resource, parameters, token: '' };
    branch.waiting = { kind: 'task', task, request, started: true, writing };
    transition.execution.tasks.set(task, branch);
    transition.effects.push({ kind: 'dispatch', task, state: context.name, resource, request });
  }

  return {
    most: 10_000,
    isolated: true,
    batch,
    ...(reader && {
      *request(transition, branch, scope) {
        ask(transition, branch, reader.resource, yield* reader.parameters(scope));
      },
      read: reader.items,
    }),
    ...(writer && {
      results: writer.results,
      write: (transition, branch, writing) => ask(transition, branch, writer.resource!, writing.objects[0]!, writing),
    }),
    *tolerated(scope, length) {
      const failures = yield* count(scope);
      const share = yield* percentage(scope);
      if (failures !== undefined && failures < 0) throw runtimeFailure('ToleratedFailureCount cannot be negative.');
      if (share !== undefined && !(share >= 0 && share <= 100))
        throw runtimeFailure('ToleratedFailurePercentage must be between 0 and 100.');
      if (failures === undefined && share === undefined) return 0;
      return Math.min(
        failures ?? Number.POSITIVE_INFINITY,
        share === undefined ? Number.POSITIVE_INFINITY : (share * length) / 100,
      );
    },
    started(transition, branch) {
      const { stateMachineArn } = transition.execution.identity;
      const arn = `${stateMachineArn.replace(':stateMachine:', ':mapRun:')}/${label}:${transition.random.uuid()}`;
      branch.mapRun = arn;
      transition.event(branch, 'MapRunStarted', () => ({ mapRunArn: arn }));
    },
    iterationStarted() {},
    iterationSucceeded() {},
    iterationFailed() {},
    succeeded(transition, branch) {
      transition.event(branch, 'MapRunSucceeded');
    },
    failed(transition, branch, failure, asked) {
      const said: Failure = asked
        ? { error: asked.writing ? errorNames.resultWriterFailed : errorNames.itemReaderFailed, cause: failure.cause }
        : {
            error: errorNames.exceedToleratedFailureThreshold,
            cause: 'The specified tolerated failure threshold was exceeded',
          };
      transition.event(branch, 'MapRunFailed', () => ({
        error: said.error!,
        ...(said.cause !== undefined && { cause: said.cause }),
      }));
      return said;
    },
  };
}
