/** The standalone server's settings from its environment: the variables of Step Functions Local, and three more. */
export interface Settings {
  port: number;
  accountId: string;
  region: string;
  /** `VIGIL_STATE_DIR/stepfunctions`; undefined: in memory only, as Step Functions Local. */
  directory: string | undefined;
  /** Wait states last this part of what they say; undefined: all of it. */
  waitTimeScale: number | undefined;
  mockConfiguration: string | undefined;
  /** The endpoint of each service, by the name that the resources use. */
  endpoints: Record<string, string | undefined>;
}

/**
 * Throws one clear line for a value that makes no sense. It names the variable, or the option that stands for it in `named`.
 */
export function readSettings(env: NodeJS.ProcessEnv, named: Readonly<Record<string, string>> = {}): Settings {
  const nameOf = (variable: string) => named[variable] ?? variable;
  const number = (variable: string) => numberIn(env[variable], nameOf(variable));
  const endpoint = (variable: string) => endpointIn(env[variable], nameOf(variable));
  const port = number('PORT') ?? 8083;
  if (!Number.isInteger(port) || port > 65_535) throw new Error(`${nameOf('PORT')} is no port: ${env.PORT}`);
  const accountId = env.AWS_ACCOUNT_ID ?? '123456789012';
  if (!/^\d{12}$/.test(accountId))
    throw new Error(`${nameOf('AWS_ACCOUNT_ID')} is no account of twelve digits: ${accountId}`);
  return {
    port,
    accountId,
    region: env.AWS_DEFAULT_REGION ?? 'us-east-1',
    directory: env.VIGIL_STATE_DIR === undefined ? undefined : `${env.VIGIL_STATE_DIR}/stepfunctions`,
    waitTimeScale: number('WAIT_TIME_SCALE'),
    mockConfiguration: env.SFN_MOCK_CONFIG,
    endpoints: {
      lambda: endpoint('LAMBDA_ENDPOINT'),
      dynamodb: endpoint('DYNAMODB_ENDPOINT'),
      sqs: endpoint('SQS_ENDPOINT'),
      sns: endpoint('SNS_ENDPOINT'),
      events: endpoint('EVENTS_ENDPOINT'),
      s3: endpoint('S3_ENDPOINT'),
      secretsmanager: endpoint('SECRETSMANAGER_ENDPOINT'),
      sfn: endpoint('STEP_FUNCTIONS_ENDPOINT'),
    },
  };
}

function numberIn(text: string | undefined, name: string): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (!(value >= 0)) throw new Error(`${name} is no number from 0 up: ${text}`);
  return value;
}

function endpointIn(text: string | undefined, name: string): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!/^https?:\/\/[^/\s]+\/?$/.test(text))
    throw new Error(`${name} is no address such as http://127.0.0.1:4000: ${text}`);
  return text.replace(/\/$/, '');
}
