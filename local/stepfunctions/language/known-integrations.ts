import type { TaskResource } from '../states/task-resource';

const once = [''];
const token = ['', '.waitForTaskToken'];
const job = ['', '.sync'];

/** The actions of the optimised integrations, with the patterns that each can have. */
const known: Record<string, Record<string, readonly string[]>> = {
  apigateway: { invoke: token },
  batch: { submitJob: job },
  dynamodb: { getItem: once, putItem: once, updateItem: once, deleteItem: once },
  ecs: { runTask: [...job, '.waitForTaskToken'] },
  events: { putEvents: token },
  glue: { startJobRun: job },
  http: { invoke: once },
  lambda: { invoke: token },
  sns: { publish: token },
  sqs: { sendMessage: token },
  states: { startExecution: ['', '.sync', '.sync:2', '.waitForTaskToken'] },
};

/** Whether AWS has such an integration. Services that this engine does not call are taken as they come. */
export function isKnown({ kind, service, action, pattern }: TaskResource): boolean {
  if (service.startsWith('aws-sdk:')) return token.includes(pattern);
  const actions = kind === 'service' ? known[service] : undefined;
  return actions === undefined || actions[action]?.includes(pattern) === true;
}
