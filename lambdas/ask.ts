import { SFNClient } from '@aws-sdk/client-sfn';
import { AskRequest } from '../core/state/loop-state';
import { tableOfDeployment } from './environment';
import { keepToken } from './executions';
import { log } from './log';
import { plainError } from './plain-error';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/** Keeps the task token of an execution that waits for an answer; one that has come already is passed on at once. */
export async function handler(event: unknown): Promise<void> {
  const request = AskRequest.parse(event);
  const { runId, callId: id } = request;
  try {
    const waits = await keepToken(stepFunctions, table, request);
    log.info('ask', { runId, callbackId: id, waits });
  } catch (error) {
    // A refusal of the token may quote it.
    throw plainError(error, { runId, callbackId: id });
  }
}
