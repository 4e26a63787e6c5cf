import { randomUUID } from 'node:crypto';
import { executionArn } from '../engine/entry';
import { typeNotSupported } from './api-error';
import { startable } from './executions';
import { type Action, checkJson, checkName, optionalText, requiredArn, seconds } from './request';

/** Runs an Express state machine and answers with what came of it. Nothing of it is kept. */
const startSyncExecution: Action = async (engine, body) => {
  const arn = requiredArn(body, 'stateMachineArn', 'stateMachine');
  const { revision } = startable(engine, arn);
  if (revision.type !== 'EXPRESS') throw typeNotSupported();
  const name = checkName(optionalText(body, 'name') ?? randomUUID());
  const input = checkJson(optionalText(body, 'input') ?? '{}', 'InvalidExecutionInput', 'input');
  const { entry, ended } = engine.startExpress(revision, name, input);
  const outcome = await ended;
  const included = body.includedData !== 'METADATA_ONLY';
  return {
    executionArn: executionArn(entry),
    stateMachineArn: revision.stateMachineArn,
    name,
    startDate: seconds(entry.startTime),
    stopDate: seconds(outcome.time),
    status: outcome.status === 'ABORTED' ? 'FAILED' : outcome.status,
    ...(included && { input }),
    inputDetails: { included },
    ...(outcome.output !== undefined && {
      ...(included && { output: outcome.output }),
      outputDetails: { included },
    }),
    ...(outcome.error !== undefined && { error: outcome.error }),
    ...(outcome.cause !== undefined && { cause: outcome.cause }),
    billingDetails: {
      billedMemoryUsedInMB: 64,
      billedDurationInMilliseconds: Math.max(1, Math.ceil((outcome.time - entry.startTime) / 100)) * 100,
    },
  };
};

export const expressActions: Record<string, Action> = { StartSyncExecution: startSyncExecution };
