import { type ParseArgsConfig, parseArgs } from 'node:util';

interface Option {
  /** The variable that it stands for. */
  variable?: string;
  value: string;
  about: string;
}

/** Beside ours, the options of Step Functions Local whose variables are read. */
const options: Readonly<Record<string, Option>> = {
  port: { variable: 'PORT', value: 'NUMBER', about: 'default 8083; 0 takes a free one' },
  host: { value: 'ADDRESS', about: 'default 127.0.0.1; with 0.0.0.0 every machine of the network may do everything' },
  directory: { value: 'FOLDER', about: 'keeps all state there; without it everything is forgotten at the end' },
  'mock-config': { variable: 'SFN_MOCK_CONFIG', value: 'FILE', about: 'a mock configuration file' },
  'wait-time-scale': { variable: 'WAIT_TIME_SCALE', value: 'NUMBER', about: 'Wait states last this part: 0.01' },
  'aws-account': { variable: 'AWS_ACCOUNT_ID', value: 'DIGITS', about: 'default 123456789012' },
  'aws-region': { variable: 'AWS_DEFAULT_REGION', value: 'NAME', about: 'default us-east-1' },
  'lambda-endpoint': { variable: 'LAMBDA_ENDPOINT', value: 'URL', about: 'functions, and services without their own' },
  'dynamodb-endpoint': { variable: 'DYNAMODB_ENDPOINT', value: 'URL', about: '' },
  'sqs-endpoint': { variable: 'SQS_ENDPOINT', value: 'URL', about: '' },
  'sns-endpoint': { variable: 'SNS_ENDPOINT', value: 'URL', about: '' },
  'events-endpoint': { variable: 'EVENTS_ENDPOINT', value: 'URL', about: '' },
  's3-endpoint': { variable: 'S3_ENDPOINT', value: 'URL', about: '' },
  'secretsmanager-endpoint': { variable: 'SECRETSMANAGER_ENDPOINT', value: 'URL', about: '' },
  'step-functions-endpoint': { variable: 'STEP_FUNCTIONS_ENDPOINT', value: 'URL', about: 'read for compatibility' },
};

export interface CommandLine {
  asks: 'to serve' | 'for help' | 'for the version';
  directory: string | undefined;
  host: string;
  /** Variables that options set, with their values. */
  variables: Record<string, string>;
  /** The options that do, by variable: `{ PORT: '--port' }`. */
  named: Record<string, string>;
}

/** Throws one line for an option that is unknown, or lacks its value. */
export function readCommandLine(args: string[]): CommandLine {
  const texts = Object.fromEntries(Object.keys(options).map((name) => [name, { type: 'string' as const }]));
  const { help, version, ...given } = parsed(args, {
    ...texts,
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean', short: 'v' },
  });
  const variables: Record<string, string> = {};
  const named: Record<string, string> = {};
  for (const [name, text] of Object.entries(given) as [string, string][]) {
    if (text === '') throw new Error(`--${name} is empty; it takes ${options[name]!.value}.`);
    const { variable } = options[name]!;
    if (variable === undefined) continue;
    variables[variable] = text;
    named[variable] = `--${name}`;
  }
  const asks = help ? 'for help' : version ? 'for the version' : 'to serve';
  const { directory, host = '127.0.0.1' } = given as Record<string, string>;
  return { asks, directory, host, variables, named };
}

function parsed(args: string[], known: ParseArgsConfig['options']): Record<string, unknown> {
  try {
    return parseArgs({ args, options: known }).values;
  } catch (error) {
    const [said] = (error as Error).message.split(/\. |\n/);
    throw new Error(`${said}. --help lists the options.`);
  }
}

/** Returns the text of `--help`. */
export const help = (): string =>
  [
    'Runs AWS Step Functions on this machine, in the place of Step Functions Local.',
    '',
    'Usage: vigil-stepfunctions [options]',
    '',
    ...Object.entries(options).map(([name, { variable, value, about }]) => {
      const said = [about, variable && `(${variable})`].filter(Boolean).join(' ');
      return `  ${`--${name} ${value}`.padEnd(32)}${said}`;
    }),
    `  ${'-h, --help'.padEnd(32)}prints this`,
    `  ${'-v, --version'.padEnd(32)}prints the version`,
    '',
    'A variable in parentheses says the same where its option is not given.',
  ].join('\n');
