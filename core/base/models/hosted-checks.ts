import type { HostedName } from '../content/sources';
import {
  checkOptions,
  fields,
  flag,
  isText,
  listOf,
  number,
  oneOf,
  optional,
  type Rule,
  rule,
  text,
} from '../schemas/definition';
import { ConfigurationError } from '../text/errors';
import type {
  CodeInterpreter,
  FileSearch,
  HostedSettings,
  HostedTool,
  ImageGeneration,
  Location,
  WebFetch,
  WebSearch,
} from './hosted';
import { kindOf } from './kinds';
import { ownProvider, type Provider } from './provider';

const domain = rule(
  (value) => isText(value) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/\S*)?$/i.test(value as string),
  'must be a domain like "example.org", without https://',
);
const domains: Rule = (value, at) =>
  Array.isArray(value) && value.length === 0 ? [at, 'is empty'] : listOf(domain)(value, at);
const someTexts: Rule = (value, at) =>
  Array.isArray(value) && value.length === 0 ? [at, 'is empty'] : listOf(text)(value, at);
const count = (from: number, to: number) =>
  rule(
    (value) => Number.isInteger(value) && (value as number) >= from && (value as number) <= to,
    `must be a whole number from ${from} to ${to}`,
  );
const country = rule((value) => isText(value) && /^[A-Z]{2}$/.test(value as string), 'must be two letters, like "NL"');
const sizeOfImage = rule(
  (value) => isText(value) && /^(?:auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/.test(value as string),
  'must be like "1536x1024", or "auto"',
);
const source = optional(oneOf('web', 'person', 'system', 'unknown', 'none'));

const rules = {
  webSearch: fields<WebSearch>({
    allowedDomains: optional(domains),
    blockedDomains: optional(domains),
    maxUses: optional(count(1, 100)),
    contextSize: optional(oneOf('low', 'medium', 'high')),
    location: optional(
      fields<Location>({
        city: optional(text),
        region: optional(text),
        country: optional(country),
        timeZone: optional(text),
      }),
    ),
  }),
  webFetch: fields<WebFetch>({
    allowedDomains: optional(domains),
    blockedDomains: optional(domains),
    maxUses: optional(count(1, 100)),
    maxContentTokens: optional(number),
    citations: optional(flag),
  }),
  fileSearch: fields<FileSearch>({ vectorStores: someTexts, maxResults: optional(count(1, 50)), source }),
  codeInterpreter: fields<CodeInterpreter>({
    files: optional(someTexts),
    memory: optional(oneOf('1g', '4g', '16g', '64g')),
    source,
  }),
  imageGeneration: fields<ImageGeneration>({
    imageModel: optional(text),
    size: optional(sizeOfImage),
    format: optional(oneOf('png', 'jpeg', 'webp')),
    quality: optional(oneOf('low', 'medium', 'high', 'auto')),
    background: optional(oneOf('transparent', 'opaque', 'auto')),
  }),
};

/** Checks the settings of a hosted tool. @throws ConfigurationError naming the field. */
export function checked<Options extends object>(name: keyof typeof rules, options: Options): Options {
  checkOptions(`hosted.${name}`, options, rules[name]);
  const { allowedDomains, blockedDomains } = options as WebSearch;
  if (allowedDomains && blockedDomains)
    throw new ConfigurationError(`hosted.${name}: blockedDomains: leave it out beside allowedDomains`);
  return options;
}

/** The names that a hosted tool has for models. An agent's own tools cannot have them. */
const namesFor = (name: HostedName): string[] =>
  name === 'code_interpreter' ? [name, 'code_execution', 'bash_code_execution', 'text_editor_code_execution'] : [name];

interface Having {
  name: string;
  tools: readonly { name: string }[];
  hosted: readonly HostedTool[];
  model: { provider?: Provider };
}

/**
 * Checks that a provider has the hosted tools of an agent. A summary is made without tools, so its model may be anywhere.
 *
 * @param own the deployment's provider, for agents without one: that of OpenAI unless more is known.
 * @throws ConfigurationError naming the agent, the tool and the provider.
 */
export function checkHosted({ name: agent, tools, hosted, model: { provider } }: Having, own = ownProvider()): void {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`agent ${agent}: tools: ${problem}`);
  };
  const whose = provider ? `the provider "${provider.name}"` : "the deployment's provider";
  const { kind: api, hosted: offered } = kindOf(provider ?? own!);
  const twice = hosted.find(({ name }, index) => hosted.findIndex((one) => one.name === name) !== index);
  if (twice) refuse(`${twice.name} is listed twice`);
  for (const { name, settings = {} } of hosted) {
    const known = offered[name];
    if (!known)
      refuse(
        `${name}: ${whose} has no such hosted tool, because its API is "${api}": leave it out, or use another provider`,
      );
    const odd = Object.entries(settings).find(
      ([field, value]) => value !== undefined && !known!.includes(field as keyof HostedSettings),
    );
    if (odd)
      refuse(`${name}: ${odd[0]}: ${whose} does not have this setting, because its API is "${api}": leave it out`);
    const taken = tools.find((tool) => namesFor(name).includes(tool.name));
    if (taken) refuse(`${taken.name}: the hosted tool ${name} has this name: rename your tool`);
  }
}
