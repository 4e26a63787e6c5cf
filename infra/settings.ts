import { Token } from 'aws-cdk-lib';
import { listed, nearest } from '../core/base/schemas/definition';
import { countLimits } from '../core/base/state/user-limits';
import { ConfigurationError } from '../core/base/text/errors';
import { urlIn } from '../core/base/text/web-address';
import { budgetVariables, settingNames } from './settings-table';

/** The settings of a deployment. An unset value is '': the variable is declared, and its reader treats it as unset. */
export interface Settings {
  /** The address of a server of chat completions; '' is OpenAI's own. */
  openaiBaseUrl: string;
  /** Overrides every agent's model. */
  model: string;
  /** Limits in addition to the agents' own, and prices, by the variables that CallModel and Api read. */
  budget: Record<string, string>;
  /** Returns a variable that a tool's definition declares, or '' if it is not set. */
  given(name: string): string;
  /** Origins of pages that may call the API from a browser. */
  webOrigins: string[];
  /** The names of the claims that are kept, separated by commas. */
  claims: string;
  /** Whether other backends may act for users. */
  machines: boolean;
}

/**
 * @param called what errors call a variable, if not by its name.
 * @throws ConfigurationError in one line, which names the variable.
 */
export function settingsFrom(
  env: Readonly<Record<string, string | undefined>>,
  called: Readonly<Record<string, string>> = {},
): Settings {
  checkNames(Object.keys(env).filter((name) => env[name]));
  return {
    openaiBaseUrl: env.OPENAI_BASE_URL ?? '',
    model: env.VIGIL_MODEL ?? '',
    budget: Object.fromEntries(budgetVariables.map((name) => [name, limitFrom(name, env[name])])),
    given: (name) => env[name] ?? '',
    webOrigins: originsFrom(called.VIGIL_WEB_ORIGINS, env.VIGIL_WEB_ORIGINS),
    claims: claimsFrom(called.VIGIL_CLAIMS, env.VIGIL_CLAIMS),
    machines: switchFrom('VIGIL_MACHINES', env.VIGIL_MACHINES ?? '') === 'on',
  };
}

/**
 * Refuses names that are nearly those of settings, and limits of any other name: whoever sets a limit relies on it. Other variables that
 * begin alike are an app's own.
 */
function checkNames(names: readonly string[]): void {
  for (const name of names) {
    if (!name.startsWith('VIGIL_') || settingNames.includes(name)) continue;
    const near = nearest(name, settingNames, 2);
    const alike = near ? [near] : name.startsWith('VIGIL_MAX_') ? alikeOf(name) : [];
    if (alike.length > 0)
      throw new ConfigurationError(`${name}: there is no such setting: did you mean ${listed(alike)}?`);
  }
}

/** The settings whose names have the longest beginning in common with another name. */
function alikeOf(name: string): string[] {
  const words = name.split('_');
  for (let count = words.length - 1; count > 1; count--) {
    const beginning = `${words.slice(0, count).join('_')}_`;
    const found = settingNames.filter((one) => one.startsWith(beginning)).sort();
    if (found.length > 0) return found;
  }
  return [];
}

/** Checked here too, so that a mistake stops the deployment and not the runs. */
function limitFrom(name: string, value = ''): string {
  if (!name.startsWith('VIGIL_MAX_') || value === '' || /^[1-9]\d*$/.test(value)) return value;
  throw new ConfigurationError(`${name} is "${value}": it must be a whole number of at least 1.`);
}

/** @throws ConfigurationError for a value that is neither unset, `on` nor `off`. */
export function switchFrom(name: string, value: string): '' | 'on' | 'off' {
  if (value === '' || value === 'on' || value === 'off') return value;
  throw new ConfigurationError(`${name} is "${value}": it must be "on" or "off".`);
}

/** Checked here, so that a mistake stops the deployment and does not lose claims silently. */
function claimsFrom(called = 'VIGIL_CLAIMS', list = ''): string {
  const wrong = list.split(',').find((name) => !/^\s*[\w:./-]{1,200}\s*$/.test(name));
  if (list === '' || wrong === undefined) return list;
  throw new ConfigurationError(
    `${called}: "${wrong.trim()}" is not a claim's name: write names such as custom:tenant, separated by commas.`,
  );
}

/** Returns what VIGIL_PAGE asks for: the hosted page, none, or a page at an address. */
export function pageFrom(where: string): { hosted: boolean; address?: string } {
  if (where === 'cloudfront') return { hosted: true };
  if (where === '' || where === 'none') return { hosted: false };
  if (Token.isUnresolved(where) || /^https?:$/.test(urlIn(where)?.protocol ?? ''))
    return { hosted: false, address: where };
  throw new ConfigurationError(`VIGIL_PAGE is "${where}": it must be "cloudfront", "none" or the address of a page.`);
}

/**
 * Parses a list separated by commas. A browser compares origins exactly, so an origin with a path or a trailing slash
 * would never match.
 */
function originsFrom(name = 'VIGIL_WEB_ORIGINS', list = ''): string[] {
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const wrong = origins.find((origin) => urlIn(origin)?.origin !== origin);
  if (wrong)
    throw new ConfigurationError(`${name}: ${wrong} is not an origin: write it like https://vigil.example.com`);
  return origins;
}

/** The variables for Api: its limits, and what a fork may replace. */
export const apiVariables = ({ budget, model, given, claims, machines }: Settings): Record<string, string> => ({
  ...budget,
  VIGIL_MODEL: model,
  VIGIL_MACHINES: machines ? 'on' : 'off',
  VIGIL_CLAIMS: claims,
  VIGIL_DEVELOPERS_GROUP: given('VIGIL_DEVELOPERS_GROUP'),
});

/** The variables for tools, which create timers. */
export const toolVariables = (settings: Settings): Record<string, string> => {
  const { variable } = countLimits.timers;
  return { [variable]: settings.budget[variable] ?? '' };
};

/** The variables for CallModel. */
export const modelVariables = (settings: Settings): Record<string, string> => {
  const { openaiBaseUrl, model, budget, given } = settings;
  return {
    OPENAI_BASE_URL: openaiBaseUrl,
    VIGIL_MODEL: model,
    VIGIL_MODEL_API: given('VIGIL_MODEL_API'),
    VIGIL_TITLES: switchFrom('VIGIL_TITLES', given('VIGIL_TITLES')),
    ...budget,
  };
};
