import type { Branch, ChildIdentity, TaskWait } from '../execution/execution';

import {
  endRun,
  type Limits,
  type MapRun,
  mostAtATime,
  moved,
  newMapRun,
  type Tally,
  tellItems,
} from '../execution/map-run';
import type { TaskResource } from '../execution/task-resource';
import type { Transition } from '../execution/transition';
import { errorNames, type Failure, runtimeFailure } from '../language/errors';
import { type Json, type JsonObject, jsonText } from '../language/json';
import { nameUuid } from '../language/random';
import type { CompileContext } from './compile';
import { compileBatcher } from './items/item-batcher';
import { compileReader } from './items/item-reader';
import { compileWriter } from './items/result-writer';
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
  const writer =
    fields.ResultWriter === undefined ? undefined : compileWriter(fields.ResultWriter as JsonObject, context.jsonata);
  const processor = (fields.ItemProcessor ?? fields.Iterator) as JsonObject;
  const express = (processor.ProcessorConfig as JsonObject).ExecutionType === 'EXPRESS';

  /** "If you don't specify a label, Step Functions automatically generates a unique label": one for each state of a machine. */
  const labelOf = (stateMachineArn: string): string =>
    (fields.Label as string | undefined) ?? nameUuid(`${stateMachineArn}/${context.name}`);

  /** Asks the world for something that the state itself needs. */
  function ask(
    transition: Transition,
    branch: Branch,
    resource: TaskResource,
    parameters: Json,
    progress?: Pick<TaskWait, 'writing' | 'reading'>,
  ): void {
    const task = transition.nextId();
    const request = { resource, parameters, token: '' };
    branch.waiting = { kind: 'task', task, request, started: true, ...progress };
    transition.execution.tasks.set(task, branch);
    transition.effects.push({ kind: 'dispatch', task, state: context.name, resource, request });
  }

  return {
    most: mostAtATime,
    isolated: true,
    batch,
    ...(reader && {
      *request(transition, branch, scope) {
        ask(transition, branch, reader.resource, yield* reader.parameters(scope));
      },
      *read(transition, branch, scope, answer, { request, reading }) {
        const read = yield* reader.answered(scope, request.parameters, answer, reading);
        const [next] = read.objects;
        if (next === undefined) return read.items;
        ask(transition, branch, reader.object, next, { reading: read });
        return undefined;
      },
    }),
    ...(writer && {
      results: writer.results,
      write: (transition, branch, writing) =>
        ask(transition, branch, writer.resource!, writing.objects[0]!, { writing }),
    }),
    *limits(scope) {
      const failures = yield* count(scope);
      const share = yield* percentage(scope);
      if (reader) yield* reader.limit(scope);
      return tolerated(failures, share);
    },
    started(transition, branch) {
      const { stateMachineArn, serial } = transition.execution.identity;
      // The execution's number is its end: that is how a run is found again.
      const id = transition.random.uuid().slice(0, -12) + serial.toString(16).padStart(12, '0');
      const label = labelOf(stateMachineArn);
      const arn = `${stateMachineArn.replace(':stateMachine:', ':mapRun:')}/${label}:${id}`;
      branch.mapRun = newMapRun({ arn, label, startTime: transition.time });
      transition.execution.mapRuns.push(branch.mapRun);
      transition.event(branch, 'MapRunStarted', () => ({ mapRunArn: arn }));
    },
    launched: (branch, items, limits) => tellItems(branch.mapRun!, items, limits),
    iterationStarted(transition, child, index, children) {
      const map = child.parent!.branch;
      note(map, index, 'pending', 'running');
      child.own = childOf(transition, map.mapRun!, index, express, child.input);
      children.runs![index] = { own: child.own };
      map.mapRun!.children = children.runs!;
      transition.event(child, 'ExecutionStarted', () => ({
        input: jsonText(child.input),
        inputDetails: { truncated: false },
        roleArn: transition.execution.identity.roleArn,
      }));
      // As in every execution, the first state's entry follows no event.
      child.previous = 0;
    },
    iterationSucceeded: (_transition, branch, index) => note(branch, index, 'running', 'succeeded'),
    iterationFailed: (_transition, branch, index) => note(branch, index, 'running', 'failed'),
    succeeded(transition, branch) {
      endRun(branch.mapRun!, 'SUCCEEDED', transition.time);
      transition.event(branch, 'MapRunSucceeded');
    },
    failed(transition, branch, failure, asked) {
      const said: Failure = asked
        ? { error: asked.writing ? errorNames.resultWriterFailed : errorNames.itemReaderFailed, cause: failure.cause }
        : {
            error: errorNames.exceedToleratedFailureThreshold,
            cause: 'The specified tolerated failure threshold was exceeded',
          };
      endRun(branch.mapRun!, 'FAILED', transition.time);
      transition.event(branch, 'MapRunFailed', () => ({
        error: said.error!,
        ...(said.cause !== undefined && { cause: said.cause }),
      }));
      return said;
    },
  };
}

/** The failures that a run tolerates. Throws States.Runtime for a number or a share that cannot be. */
export function tolerated(count: number | undefined, share: number | undefined): Limits {
  if (count !== undefined && count < 0) throw runtimeFailure('ToleratedFailureCount cannot be negative.');
  if (share !== undefined && !(share >= 0 && share <= 100))
    throw runtimeFailure('ToleratedFailurePercentage must be between 0 and 100.');
  return { toleratedFailureCount: count, toleratedFailurePercentage: share };
}

/** A child execution's name is the same whenever its start is computed. */
function childOf(
  { execution, time }: Transition,
  { arn: run, label }: MapRun,
  index: number,
  express: boolean,
  input: Json,
): ChildIdentity {
  const { stateMachineArn, stateMachineName } = execution.identity;
  // Its end is the execution's number, as in the run's ARN: that is how a child is found again.
  const name = nameUuid(`${run}/${index}`).slice(0, -12) + run.slice(-12);
  const arn = `${stateMachineArn.replace(':stateMachine:', express ? ':express:' : ':execution:')}/${label}:${name}`;
  return {
    arn: express ? `${arn}:${nameUuid(arn)}` : arn,
    name,
    stateMachineArn: `${stateMachineArn}/${label}`,
    stateMachineName: `${stateMachineName}/${label}`,
    express,
    input,
    startTime: time,
  };
}

function note({ waiting, mapRun }: Branch, index: number, from: keyof Tally, to: keyof Tally): void {
  if (waiting?.kind === 'children') moved(mapRun!, waiting.children.items[index]!, from, to);
}
