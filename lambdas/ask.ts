import { SFNClient } from '@aws-sdk/client-sfn';
import { AskRequest } from '../core/loop-state';
import { readCallback, storeToken } from '../core/store/callback';
import { tableOfDeployment } from './environment';
import { log } from './log';
import { plainError } from './plain-error';
import { resume } from './segments';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/** Keeps the task token of an execution that waits for an answer; one that has come already is passed on at once. */
export async function handler(event: unknown): Promise<void> {
  const { conversationId, runId, callId: id, taskToken } = AskRequest.parse(event);
  try {
    const waits = await storeToken(table, conversationId, id, taskToken);
    if (!waits) {
      const { taskTokens = [] } = (await readCallback(table, conversationId, id)) ?? {};
      await resume(stepFunctions, table, conversationId, { id, taskTokens: [...taskTokens, taskToken] });
    }
    log.info('ask', { runId, callbackId: id, waits });
  } catch (error) {
    // A refusal of the token may quote it.
    throw plainError(error, { runId, callbackId: id });
  }
}
