import type { TaskResource } from '../../execution/task-resource';

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

/** The other services with optimised integrations: their actions are taken as they come. */
const others = new Set([
  'athena',
  'bedrock',
  'codebuild',
  'databrew',
  'eks',
  'elasticmapreduce',
  'emr-containers',
  'emr-serverless',
  'mediaconvert',
  'sagemaker',
]);

/** Whether AWS has such an integration. */
export function isKnown({ kind, service, action, pattern }: TaskResource): boolean {
  if (kind !== 'service' || others.has(service)) return true;
  // "The API action will always be camel case".
  if (service.startsWith('aws-sdk:')) return token.includes(pattern) && /^[a-z]/.test(action);
  const patterns = known[service]?.[action];
  return Array.isArray(patterns) && patterns.includes(pattern);
}
