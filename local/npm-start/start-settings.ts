import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { outsideWorld } from './outside-world';
import { searchLabel } from './stand-ins';

/** The settings of a start, from its arguments and the environment. */
export interface StartSettings {
  root: string;
  stateDirectory: string;
  assembly: string;
  reset: boolean;
  /** Deploy changes when they are saved. */
  watch: boolean;
  port: number;
  awsPort: number;
  /** The label of the model, for the terminal and the page. */
  model: string;
  /** The label of the search and the page reader. */
  search: string;
  variables: Record<string, string>;
}

const servers = [
  ['OPENAI_BASE_URL', 'OPENAI_API_KEY'],
  ['SERPER_BASE_URL', 'SERPER_API_KEY'],
  ['BROWSERLESS_BASE_URL', 'BROWSERLESS_TOKEN'],
] as const;

/** The folder that `npm start` starts, by default. */
const repository = resolve(__dirname, '../..');

/**
 * @param root the folder of what is started. Its state is in its folder `.vigil`.
 * @throws Error in one line for invalid settings.
 */
export function readSettings(args: string[], env: NodeJS.ProcessEnv, root = repository): StartSettings {
  const { reset, 'no-watch': noWatch } = readOptions(args);
  for (const [url, key] of servers) {
    if (!env[url] || env[key]) continue;
    throw new Error(`${url} is set but ${key} is not: set the key too (any text, if the server needs none).`);
  }
  const stateDirectory = resolve(env.VIGIL_STATE_DIR || join(root, '.vigil'));
  return {
    root,
    stateDirectory: stateDirectory.startsWith(root + sep) ? relative(process.cwd(), stateDirectory) : stateDirectory,
    assembly: join(stateDirectory, 'assembly'),
    reset,
    watch: !noWatch,
    port: readPort('PORT', env.PORT, 3_000),
    awsPort: readPort('AWS_PORT', env.AWS_PORT, 4_566),
    model: env.OPENAI_API_KEY ? realModel(env) : 'stand-in model: no OPENAI_API_KEY',
    search: searchLabel(env),
    // Whoever starts it has the sources.
    variables: { VIGIL_DEVELOPERS_GROUP: '*', ...outsideWorld(env) },
  };
}

/** The files of this repository, and the variables, that its assembly depends on. */
export const synthesisInputs = (env: NodeJS.ProcessEnv) => ({ sources, env: synthesisVariables(env) });

const sources = [
  'agents',
  'core',
  'infra',
  'lambdas',
  'modules',
  'runtime',
  'statemachines',
  'tools',
  'package-lock.json',
  'cdk.json',
  'tsconfig.json',
];

/** Returns the variables that an assembly depends on. The app here lists the MCP server unless VIGIL_MCP says otherwise. */
export function synthesisVariables(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const matters =
    /^(?:VIGIL_(?!STATE_DIR|LOCAL_)|LOG_LEVEL|CDK_|AWS_REGION|OTEL_EXPORTER_OTLP_ENDPOINT$)|_(?:BASE_URL|TOPIC_ARN)$/;
  return Object.fromEntries(
    Object.entries({ VIGIL_MCP: 'on', ...env })
      .filter(([name]) => matters.test(name))
      .sort(),
  );
}

function readOptions(args: string[]) {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({ args, options: { reset: flag, 'no-watch': flag } }).values;
  } catch {
    throw new Error(
      `Unknown arguments: ${args.join(' ')}. Use --reset to empty the state, --no-watch to leave changes to the next start.`,
    );
  }
}

function readPort(name: string, text: string | undefined, otherwise: number): number {
  if (!text) return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${name} must be a port from 0 (any that is free) to 65535, not ${text}.`);
}

function realModel(env: NodeJS.ProcessEnv): string {
  const name = env.VIGIL_MODEL ?? "each agent's own";
  return `${name}, at ${env.OPENAI_BASE_URL ? new URL(env.OPENAI_BASE_URL).host : 'OpenAI'}`;
}
