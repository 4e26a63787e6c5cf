import { SFNClient } from '@aws-sdk/client-sfn';
import { AskRequest } from '../core/state/loop-state';
import { tableOfDeployment } from '../runtime/environment';
import { log, logged } from '../runtime/log';
import { plainError } from '../runtime/plain-error';
import { keepToken } from './executions';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/** Ask: stores the task token of a waiting execution, or resumes it at once if the callback already has its outcome or has expired. */
export const handler = logged(async (event: unknown): Promise<void> => {
  const request = AskRequest.parse(event);
  try {
    const waits = await keepToken(stepFunctions, table, request, new Date());
    log.info('ask', { waits });
  } catch (error) {
    // The error may quote the token.
    throw plainError(error);
  }
});
