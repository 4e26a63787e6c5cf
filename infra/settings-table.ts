import { Token } from 'aws-cdk-lib';
import { baseUrlVariable } from '../core/base/models/provider';
import { countLimits, defaultDay, sharedPercent, spendingVariables } from '../core/base/state/user-limits';
import { ConfigurationError } from '../core/base/text/errors';
import { urlIn } from '../core/base/text/web-address';
import { settingsOfModules } from '../modules/settings';
import type { TypedSettings } from './typed-settings';

/** The names of settings, and of settings in them: `models.baseUrl`. */
type Path<T> = {
  [K in keyof T & string]-?: NonNullable<T[K]> extends string | number | boolean | readonly unknown[]
    ? K
    : string extends keyof NonNullable<T[K]>
      ? K
      : `${K}.${Path<NonNullable<T[K]>>}`;
}[keyof T & string];

/** A setting of a deployment or of a laptop: the table of docs/settings.md, and what the construct makes of its props. */
export interface Setting {
  /** The environment variable. */
  variable: string;
  /** The construct's prop, if it has a typed one. */
  prop?: Path<TypedSettings>;
  /** The form of the prop's value in the variable. Default: a text as it is. */
  as?: keyof typeof forms;
  /** Markdown, for the page. */
  sets: string;
  /** Markdown, for the page. */
  byDefault: string;
}

/** A setting of a module, which reads it by itself. */
export interface SettingOfModule extends Pick<Setting, 'variable' | 'sets' | 'byDefault'> {
  /** The option of the module's function, if it has one: `telemetry.endpoint`. */
  option?: string;
}

const whole = (value: number): string => value.toLocaleString('en-US');

/** All settings, by the section of docs/settings.md. */
export const settingsTable = {
  models: [
    {
      variable: 'OPENAI_API_KEY',
      sets: 'the key of the model server',
      byDefault:
        '[a stand-in model](../local/README.md#the-stand-in-model), whatever `VIGIL_MODEL` says; on AWS a secret',
    },
    {
      variable: 'OPENAI_BASE_URL',
      prop: 'models.baseUrl',
      as: 'address',
      sets: 'a server of the chat completions API or the Responses API',
      byDefault: 'OpenAI',
    },
    {
      variable: 'VIGIL_MODEL_API',
      prop: 'models.api',
      sets: '`responses` or `chat`: the API of that server ([models](models.md#openais-two-apis))',
      byDefault: '`responses` at OpenAI, `chat` elsewhere',
    },
    {
      variable: 'VIGIL_MODEL',
      prop: 'models.model',
      sets: 'the model of all agents',
      byDefault: "each agent's own",
    },
    {
      variable: '<NAME>_BASE_URL',
      sets: 'the address of a [provider](models.md#providers) that agents name, or on a laptop that of [Amazon Bedrock](models.md#amazon-bedrock), `BEDROCK_BASE_URL`; the prop is `models.baseUrlOf`',
      byDefault: "the provider's own",
    },
    {
      variable: 'VIGIL_TITLES',
      prop: 'models.titles',
      as: 'switch',
      sets: '`off`: conversations keep the beginning of the first message as their [title](page.md#titles)',
      byDefault: '`on`: the model names them',
    },
    {
      variable: 'VIGIL_EMBEDDING_MODEL',
      prop: 'models.embeddings.model',
      sets: 'the model for the search by meaning; `none` turns it and memory off',
      byDefault: '`text-embedding-3-small`',
    },
    {
      variable: 'EMBEDDING_BASE_URL',
      prop: 'models.embeddings.baseUrl',
      as: 'address',
      sets: 'another server for embeddings, which needs no key',
      byDefault: "the model server's",
    },
    {
      variable: 'VIGIL_EMBED_MESSAGES',
      prop: 'models.embeddings.messages',
      as: 'switch',
      sets: '`on`: what is said is embedded, and [found by meaning](page.md#by-meaning); `off`: only memories are',
      byDefault: '`on` if an agent has a memory: `recall: true`, or a tool that uses embeddings',
    },
    { variable: 'SERPER_API_KEY', sets: 'web search', byDefault: 'a stand-in search; on AWS a secret' },
    {
      variable: 'BROWSERLESS_TOKEN',
      sets: 'a browser that opens pages. Run your own in a network without private services',
      byDefault: 'pages are fetched directly',
    },
    { variable: 'BROWSERLESS_BASE_URL', sets: 'its address', byDefault: 'pages are fetched directly' },
  ],
  spending: [
    {
      variable: 'VIGIL_MAX_STEPS',
      prop: 'limits.stepsOfRun',
      as: 'count',
      sets: 'the steps of each run since its last message',
      byDefault: "its agent's own limit",
    },
    {
      variable: 'VIGIL_MAX_RUN_MICRODOLLARS',
      prop: 'limits.costMicrodollarsOfRun',
      as: 'count',
      sets: 'the cost of each run, in millionths of a dollar',
      byDefault: 'none',
    },
    {
      variable: spendingVariables.month.costMicrodollars,
      prop: 'limits.monthOfUser.costMicrodollars',
      as: 'count',
      sets: 'the cost of all runs of a user in a calendar month (UTC), in millionths of a dollar',
      byDefault: 'none',
    },
    {
      variable: spendingVariables.day.steps,
      prop: 'limits.dayOfUser.steps',
      as: 'count',
      sets: 'the steps of all runs of a user in a day (UTC)',
      byDefault: whole(defaultDay.steps),
    },
    {
      variable: spendingVariables.day.tokens,
      prop: 'limits.dayOfUser.tokens',
      as: 'count',
      sets: 'their tokens',
      byDefault: whole(defaultDay.tokens),
    },
    {
      variable: spendingVariables.day.costMicrodollars,
      prop: 'limits.dayOfUser.costMicrodollars',
      as: 'count',
      sets: 'their cost, in millionths of a dollar',
      byDefault: `${whole(defaultDay.costMicrodollars)}: $${defaultDay.costMicrodollars / 1e6}`,
    },
    {
      variable: sharedPercent.variable,
      prop: 'limits.sharedPercent',
      as: 'count',
      sets: 'the part of a user’s day and month, in percent, after which runs of the conversations that they share stop',
      byDefault: whole(sharedPercent.most),
    },
    {
      variable: 'VIGIL_PRICES',
      prop: 'models.prices',
      as: 'json',
      sets: 'the prices of models, in dollars per million tokens, input and output: `{"my-model": [0.3, 1.2]}`, or `[0.3, 1.2, 0.03]` with cached input',
      byDefault: "those of Vigil's list",
    },
  ],
  atOnce: [
    {
      variable: countLimits.runs.variable,
      prop: 'limits.runsOfUser',
      as: 'count',
      sets: 'active runs, those that sleep or wait included',
      byDefault: whole(countLimits.runs.most),
    },
    {
      variable: countLimits.conversations.variable,
      prop: 'limits.conversationsOfUser',
      as: 'count',
      sets: 'conversations, those of sub-agents included',
      byDefault: whole(countLimits.conversations.most),
    },
    {
      variable: countLimits.timers.variable,
      prop: 'limits.timersOfUser',
      as: 'count',
      sets: 'open timers',
      byDefault: whole(countLimits.timers.most),
    },
  ],
  rights: [
    {
      variable: 'VIGIL_DEVELOPERS_GROUP',
      prop: 'groups.developers',
      sets: "the group whose members read agents' instructions, replace them and the model in a fork, inspect runs on the page, and open them in Step Functions; `*` for every user",
      byDefault: 'nobody; `npm start`: `*`',
    },
  ],
  deployment: [
    {
      variable: 'VIGIL_PAGE',
      prop: 'pageUrl',
      as: 'address',
      sets: '`none`: the stack hosts no page, which is the default of the prop `page`; the address of a page: none, and [notifications](notifications.md) lead to that one',
      byDefault: '`npx cdk deploy` hosts it at CloudFront',
    },
    {
      variable: 'VIGIL_WEB_ORIGINS',
      prop: 'webOrigins',
      as: 'list',
      sets: 'origins of other pages that may call the API, separated by commas',
      byDefault: 'none',
    },
    {
      variable: 'VIGIL_CLAIMS',
      prop: 'keptClaims',
      as: 'list',
      sets: "names of the tokens' claims that are kept with conversations, for [instructions and tools](agents.md#claims-and-metadata), separated by commas. At most 2,000 bytes for each token",
      byDefault: 'none',
    },
    {
      variable: 'VIGIL_MACHINES',
      prop: 'machines',
      as: 'switch',
      sets: '`on`: another backend may [act for users](operations.md#another-backend)',
      byDefault: '`off`',
    },
  ],
  modules: settingsOfModules,
  laptop: [
    { variable: 'PORT', sets: 'the port of the page and the API', byDefault: '3000' },
    { variable: 'AWS_PORT', sets: 'the port of the AWS services', byDefault: '4566' },
    {
      variable: 'VIGIL_STATE_DIR',
      sets: 'the folder of all state. `npm start -- --reset` empties it',
      byDefault: '`.vigil`',
    },
    {
      variable: 'VIGIL_LOCAL_CONCURRENCY',
      sets: "how many functions may run at once, as AWS limits an account: `10` is a new account's [quota](scale.md#lambda). More are throttled",
      byDefault: 'any number',
    },
    {
      variable: 'DYNAMODB_ENDPOINT',
      sets: 'another DynamoDB engine, for example DynamoDB Local',
      byDefault: 'the embedded one, where available ([platforms](#platforms))',
    },
    {
      variable: 'SFN_ENDPOINT',
      sets: 'another Step Functions engine, for example Step Functions Local. Its clock cannot be moved, and its rules do not fire',
      byDefault: 'the embedded one',
    },
  ],
} satisfies Record<string, (Setting | SettingOfModule)[]>;

const settings: Setting[] = Object.values({ ...settingsTable, modules: [] }).flat();

export const settingNames: readonly string[] = [...settings, ...settingsOfModules].map(({ variable }) => variable);

/** The options of modules that variables of this repository's app set, by variable. An app of its own calls their functions. */
export const optionsOfModules: ReadonlyMap<string, string> = new Map(
  settingsOfModules.flatMap(({ variable, option }) => (option ? [[variable, option]] : [])),
);

/** The variables of limits and prices, which CallModel and Api read. */
export const budgetVariables: string[] = [...settingsTable.spending, ...settingsTable.atOnce].map(
  (one) => one.variable,
);

/** The prop of a variable, for errors about its value. */
export const propOf: Readonly<Record<string, string>> = Object.fromEntries(
  settings.flatMap(({ variable, prop }) => (prop ? [[variable, prop]] : [])),
);

/**
 * Returns the environment variables that functions read, for typed settings.
 *
 * @throws ConfigurationError that names the prop.
 */
export function variablesOf(given: TypedSettings): Record<string, string> {
  const set = settings.flatMap(({ variable, prop, as }) => {
    const value = prop === undefined ? undefined : valueAt(given, prop);
    const text = value === undefined ? undefined : written(value, prop!, as);
    return text === undefined ? [] : [[variable, text]];
  });
  const addresses = Object.entries(given.models?.baseUrlOf ?? {}).map(([name, url]) => [
    baseUrlVariable(name),
    forms.address(url, `models.baseUrlOf.${name}`),
  ]);
  return Object.fromEntries([...set, ...addresses]);
}

const valueAt = (given: object, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], given);

const written = (value: unknown, prop: string, as?: keyof typeof forms): string | undefined =>
  as ? (forms[as] as (value: unknown, prop: string) => string | undefined)(value, prop) : String(value);

/** Returns an address, which may be known at the deployment only. @throws ConfigurationError that names the prop or the variable. */
export function httpAddress(url: string, name: string): string {
  if (Token.isUnresolved(url) || /^https?:$/.test(urlIn(url)?.protocol ?? '')) return url;
  throw new ConfigurationError(`${name} is "${url}": it must be an http or https address.`);
}

/** The forms of values in variables. Each gets what the rule of its prop has let through. */
const forms = {
  list: (value: readonly string[]) => value.join(','),
  json: (value: object) => JSON.stringify(value),
  switch: (value: boolean) => (value ? 'on' : 'off'),
  onlyTrue: (value: boolean) => (value ? 'true' : undefined),
  address: httpAddress,
  count(value: number, prop: string): string {
    if (Number.isSafeInteger(value) && value >= 1) return value.toString();
    throw new ConfigurationError(`${prop} is ${value}: it must be a whole number of at least 1.`);
  },
};
