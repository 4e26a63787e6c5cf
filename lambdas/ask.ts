import { SFNClient } from '@aws-sdk/client-sfn';
import { AskRequest } from '../core/base/state/loop-state';
import { tableOfDeployment } from '../runtime/environment';
import { log } from '../runtime/log';
import { serveState } from '../runtime/serve-state';
import { keepToken } from './executions';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

/** Ask: stores the task token of a waiting execution, or resumes it at once if the callback already has its outcome or has expired. */
export const handler = serveState(AskRequest, async (request) => {
  const waits = await keepToken(stepFunctions, table, request, new Date());
  log.info('ask', { waits });
});
