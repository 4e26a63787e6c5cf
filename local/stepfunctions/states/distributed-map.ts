import { errorNames, type Failure, runtimeFailure } from '../language/errors';
import type { JsonObject } from '../language/json';
import type { CompileContext } from './compile';
import { compileBatcher } from './item-batcher';
import { compileReader } from './item-reader';
import type { MapMode } from './map';
import { numberField } from './number-field';

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

  return {
    most: 10_000,
    isolated: true,
    batch,
    ...(reader && {
      *request(transition, branch, scope) {
        const task = transition.nextId();
        const { resource } = reader;
        const request = { resource, parameters: yield* reader.parameters(scope), token: '' };
        branch.waiting = { kind: 'task', task, request, started: true };
        transition.execution.tasks.set(task, branch);
        transition.effects.push({ kind: 'dispatch', task, state: context.name, resource, request });
      },
      read: reader.items,
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
      const { identity } = transition.execution;
      transition.event(branch, 'MapRunStarted', () => ({
        mapRunArn: `${identity.stateMachineArn.replace(':stateMachine:', ':mapRun:')}/${label}:${transition.random.uuid()}`,
      }));
    },
    iterationStarted() {},
    iterationSucceeded() {},
    iterationFailed() {},
    succeeded(transition, branch) {
      transition.event(branch, 'MapRunSucceeded');
    },
    failed(transition, branch, failure) {
      const said: Failure =
        failure.error === errorNames.itemReaderFailed || branch.waiting?.kind !== 'children'
          ? { error: errorNames.itemReaderFailed, cause: failure.cause }
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
