import { SFNClient } from '@aws-sdk/client-sfn';
import { AskRequest } from '../core/loop-state';
import { readCallback, storeToken, wayOn } from '../core/store/callback';
import { tableOfDeployment } from './environment';
import { resume } from './executions';
import { log } from './log';
import { plainError } from './plain-error';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/** Keeps the task token of an execution that waits for an answer; one that has come already is passed on at once. */
export async function handler(event: unknown): Promise<void> {
  const { conversationId, runId, callId: id, taskToken } = AskRequest.parse(event);
  try {
    const waits = await storeToken(table, conversationId, id, taskToken);
    if (!waits) {
      const callback = await readCallback(table, conversationId, id);
      const taskTokens = [...(callback?.taskTokens ?? []), taskToken];
      const told = { id, taskTokens, wayOn: callback ? wayOn(callback) : 'served' };
      await resume(stepFunctions, table, conversationId, told);
    }
    log.info('ask', { runId, callbackId: id, waits });
  } catch (error) {
    // A refusal of the token may quote it.
    throw plainError(error, { runId, callbackId: id });
  }
}
