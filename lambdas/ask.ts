import { SFNClient } from '@aws-sdk/client-sfn';
import { AskRequest } from '../core/state/loop-state';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { plainError } from '../runtime/plain-error';
import { keepToken } from './executions';

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
