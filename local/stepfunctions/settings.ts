/** What the standalone server reads from its environment: the variables of Step Functions Local, and three of its own. */
export interface Settings {
  port: number;
  accountId: string;
  region: string;
  /** `VIGIL_STATE_DIR/stepfunctions`; undefined: in memory only, as Step Functions Local. */
  directory: string | undefined;
  /** Wait states last this part of what they say; undefined: all of it. */
  waitTimeScale: number | undefined;
  mockConfiguration: string | undefined;
  /** Where each service answers, by the name that the resources use. */
  endpoints: Record<string, string | undefined>;
}

/** Throws one clear line for a value that makes no sense. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = number(env, 'PORT') ?? 8083;
  if (!Number.isInteger(port) || port > 65_535) throw new Error(`PORT is no port: ${env.PORT}`);
  const accountId = env.AWS_ACCOUNT_ID ?? '123456789012';
  if (!/^\d{12}$/.test(accountId)) throw new Error(`AWS_ACCOUNT_ID is no account of twelve digits: ${accountId}`);
  return {
    port,
    accountId,
    region: env.AWS_DEFAULT_REGION ?? 'us-east-1',
    directory: env.VIGIL_STATE_DIR === undefined ? undefined : `${env.VIGIL_STATE_DIR}/stepfunctions`,
    waitTimeScale: number(env, 'WAIT_TIME_SCALE'),
    mockConfiguration: env.SFN_MOCK_CONFIG,
    endpoints: {
      lambda: endpoint(env, 'LAMBDA_ENDPOINT'),
      dynamodb: endpoint(env, 'DYNAMODB_ENDPOINT'),
      sqs: endpoint(env, 'SQS_ENDPOINT'),
      sns: endpoint(env, 'SNS_ENDPOINT'),
      events: endpoint(env, 'EVENTS_ENDPOINT'),
      s3: endpoint(env, 'S3_ENDPOINT'),
      secretsmanager: endpoint(env, 'SECRETSMANAGER_ENDPOINT'),
      sfn: endpoint(env, 'STEP_FUNCTIONS_ENDPOINT'),
    },
  };
}

function number(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`${name} is no number from 0 up: ${text}`);
  return value;
}

function endpoint(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\/[^/\s]+\/?$/.test(text))
    throw new Error(`${name} is no address such as http://127.0.0.1:4000: ${text}`);
  return text.replace(/\/$/, '');
}
