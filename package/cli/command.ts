import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listed } from '../../core/base/schemas/definition';
import type { ModuleCommand } from '../../core/module';
import { commands } from '../../modules/commands';
import { version } from '../../package.json';
import { place } from '../place';

const help = `vigil ${version}

  vigil init <folder>    makes an app: an agent, a tool, a test and a CDK app
  vigil typecheck        checks the types of the app in this folder, and lists the mistakes, one in a line
  vigil start            runs the CDK app of this folder on this machine, with the page, until Ctrl-C
      --reset            empties its state first, the folder .vigil
      --no-watch         leaves changes to the next start
      --app <command>    synthesizes by this command, not by that of cdk.json
  vigil reconcile        starts again what the table has and Step Functions has lost
      --dry-run          only prints it
      --restored-at <t>  after a restore of the table: the time to which it was restored
      --function <name>  on AWS: the output ReconcileFunctionName; else what runs on this machine
  vigil check            tells what is stored that this code would break. Exit code 1 if there is any, 2 if it could not look
      --table <name>     on AWS: the output TableName; else what runs on this machine
      --stack <name>     the stack of the app, if it has several
      --all              reads the whole table, and not a sample
      --sample <rows>    of open conversations, and of others: 10000 each
      --units <n>        consumes so many read units in a second, on average: 500
      --assembly <folder>  checks what is synthesized there, such as cdk.out
      --app <command>    synthesizes by this command, not by that of cdk.json
  vigil eval [file…]     plays evals, by default evals/*.eval.ts. Exit code 1 if too few trials hold, 2 if it could not play
      --trials <n>       plays each case so often: 1
      --threshold <n>    the share of trials that must hold: 1
      --budget <dollars> stops when the models have cost more
      --seed <text>      the same seed gives the same users and ids
      --model <name>     plays with this model instead of those of the evals. Several are compared
      --variable <name>  gives the functions this variable, too: by default only those of models
      --json <file>      writes the report
      --junit <file>     writes it for a CI system
      --html <file>      writes it as a page
      --baseline <name>  compares with a report, or with evals/results.json of a branch. Exit code 1 if it has become worse
      --app <command>    synthesizes by this command, not by that of cdk.json
  vigil eval pull [id…]  writes conversations to evals/recorded, without personal data, and beginnings of evals for them
      --marked           those with a message that is marked on the page: "Add to dataset"
      --down             those with a thumbs down
      --last <n>         looks at so many of the latest: 100
      --url <address>    of the API, or the variable VIGIL_URL; VIGIL_TOKEN is your token. By default, what runs on this machine
      --user <name>      on this machine: whose conversations, by default ada's
      --replace <words>  replaces these words, too. As often as you like
  vigil eval compare <report…>  compares reports with the first one. Exit code 1 if one is worse
      --html <file>      writes the comparison as a page
      --rubric <text>    asks a judge which of the first two is better, case by case
  vigil eval agree [file…]  compares the judges of evals with people's thumbs in recorded/. Exit code 1 if a verdict is missing
${commands.flatMap(({ name, help: lines }) => lines.map((line) => `  vigil ${name} ${line}`)).join('\n')}

PORT and AWS_PORT choose the ports. docs/settings.md has all variables.`;

const own = ['init', 'typecheck', 'start', 'reconcile', 'check', 'eval'];

/** Does what the command line says. @throws Error in one line. */
export async function runCommand([command, ...args]: string[], say = print): Promise<void> {
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') return say(help);
  if (args.includes('--help')) return say(help);
  if (command === '--version') return say(version);
  if (command === 'start') return start(args, say);
  if (command === 'init') return init(args, say);
  if (command === 'typecheck') return typecheck(args);
  if (command === 'reconcile') return reconcile(args);
  if (command === 'check') return check(args, say);
  if (command === 'eval') return evaluate(args, say);
  const ofModule = commands.find(({ name }) => name === command);
  if (ofModule) return run(ofModule, args, say);
  throw new Error(
    `There is no command "${command}": use ${listed([...own, ...commands.map(({ name }) => name)])}. \`vigil --help\` explains them.`,
  );
}

async function start(args: string[], say: Say): Promise<void> {
  const flag = { type: 'boolean', default: false } as const;
  const options = { reset: flag, 'no-watch': flag, app: { type: 'string' } } as const;
  const { app, ...flags } = parsed(() => parseArgs({ args, options }).values);
  say('Starting Vigil…');
  const { startProject } = await import('../../local/npm-start/start');
  const { appProject } = await import('../../local/npm-start/app-project');
  const given = Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [`--${name}`] : []));
  await startProject(given, async () => appProject(process.cwd(), { command: app, web: join(place, 'web/dist') }));
}

async function init(args: string[], say: Say): Promise<void> {
  const { positionals } = parsed(() => parseArgs({ args, options: {}, allowPositionals: true }));
  const [folder] = positionals;
  if (!folder || positionals.length > 1)
    throw new Error('Name one folder for the new app, for example `npx vigil init my-agents`.');
  const { initApp } = await import('./init');
  say(await initApp(folder));
}

async function typecheck(args: string[]): Promise<void> {
  parsed(() => parseArgs({ args, options: {} }));
  const { typeMistakes } = await import('./typecheck');
  const mistakes = typeMistakes(process.cwd());
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
}

async function reconcile(args: string[]): Promise<void> {
  const { reconcile: run } = await import('../../local/reconcile');
  if (!(await run(args))) process.exitCode = 1;
}

const text = { type: 'string' } as const;
const texts = { type: 'string', multiple: true, default: [] as string[] } as const;
const ofCheck = {
  stack: text,
  table: text,
  assembly: text,
  app: text,
  sample: { type: 'string', default: '10000' },
  all: { type: 'boolean', default: false },
  units: { type: 'string', default: '500' },
} as const;

/** A pipeline tells rows that would break from a check that could not look. */
async function check(args: string[], say: Say): Promise<void> {
  try {
    const options = parsed(() => parseArgs({ args, options: ofCheck }).values);
    const { check: run } = await import('./check/check');
    if (!(await run(options, say))) process.exitCode = 1;
  } catch (error) {
    throw Object.assign(error as Error, { exitCode: 2 });
  }
}

const ofEval = {
  json: text,
  junit: text,
  html: text,
  baseline: text,
  budget: text,
  app: text,
  threshold: { type: 'string', default: '1' },
  trials: { type: 'string', default: '1' },
  seed: { type: 'string', default: 'vigil' },
  model: texts,
  variable: texts,
} as const;

const ofPull = {
  url: text,
  user: text,
  marked: { type: 'boolean', default: false },
  down: { type: 'boolean', default: false },
  last: { type: 'string', default: '100' },
  replace: texts,
} as const;

async function play(args: string[], say: Say): Promise<boolean> {
  const { values, positionals } = parsed(() => parseArgs({ args, options: ofEval, allowPositionals: true }));
  return (await import('./eval')).evaluate(positionals, values, say);
}

async function pull(args: string[], say: Say): Promise<boolean> {
  const { values, positionals } = parsed(() => parseArgs({ args, options: ofPull, allowPositionals: true }));
  await (await import('./eval-pull')).pullConversations(positionals, values, say);
  return true;
}

async function compareReports(args: string[], say: Say): Promise<boolean> {
  const options = { html: text, rubric: text };
  const { values, positionals } = parsed(() => parseArgs({ args, options, allowPositionals: true }));
  return (await import('./eval')).compareReports(positionals, values, say);
}

async function agree(args: string[], say: Say): Promise<boolean> {
  const { positionals } = parsed(() => parseArgs({ args, options: {}, allowPositionals: true }));
  return (await import('./eval-agree')).agreeWithPeople(positionals, say);
}

/** A pipeline tells an agent that got worse from evals that could not be played. */
async function evaluate(args: string[], say: Say): Promise<void> {
  try {
    const [verb, ...rest] = args;
    const run = { agree, compare: compareReports, pull }[verb ?? ''];
    if (!(await (run ? run(rest, say) : play(args, say)))) process.exitCode = 1;
  } catch (error) {
    throw Object.assign(error as Error, { exitCode: 2 });
  }
}

async function run(command: ModuleCommand, args: string[], say: Say): Promise<void> {
  if (!(await command.run(args, say))) process.exitCode = 1;
}

function parsed<Values>(parse: () => Values): Values {
  try {
    return parse();
  } catch (error) {
    throw new Error(`${(error as Error).message.split('. ')[0]}. \`vigil --help\` lists the options.`);
  }
}

type Say = (text: string) => void;
const print: Say = (text) => console.log(text);
