import type { HostedName, HostedUse } from '../content/sources';
import { joined, type Source } from '../content/sources';
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
import type { Provider } from './provider';

/**
 * A tool that the provider of the model runs within a reply. Vigil neither makes nor approves its calls; it stores and shows them, and
 * counts what they bring as words from outside.
 */
export interface HostedTool {
  kind: 'hosted';
  name: HostedName;
  /** For people. The provider describes the tool to its model. */
  description: string;
  settings: HostedSettings;
  /** The origin of the words of its results; absent if they have none from outside. */
  source?: Source;
}

/** Settings of all hosted tools. Each adapter sends those of its API. */
type HostedSettings = WebSearch & WebFetch & Partial<FileSearch> & CodeInterpreter & ImageGeneration;

export interface WebSearch {
  /** Only pages of these domains, such as `example.org`. */
  allowedDomains?: string[];
  /** No pages of these domains. Anthropic only, and not beside `allowedDomains`. */
  blockedDomains?: string[];
  /** The most searches in one request. Anthropic only. */
  maxUses?: number;
  /** How much of what is found the model reads. OpenAI only. */
  contextSize?: 'low' | 'medium' | 'high';
  /** The approximate place of the users. */
  location?: Location;
}

/** `country` has two letters, `timeZone` is an IANA name. */
interface Location {
  city?: string;
  region?: string;
  country?: string;
  timeZone?: string;
}

export interface WebFetch {
  allowedDomains?: string[];
  /** Not beside `allowedDomains`. */
  blockedDomains?: string[];
  /** The most pages in one request. */
  maxUses?: number;
  /** The most tokens of one page, approximately. */
  maxContentTokens?: number;
  /** Whether the text cites the pages. */
  citations?: boolean;
}

export interface FileSearch {
  /** The ids of the vector stores at OpenAI. */
  vectorStores: string[];
  /** 1 to 50. */
  maxResults?: number;
  /** The origin of the files' words. `system` by default; `none` if all of them are your own. */
  source?: Source | 'none';
}

export interface CodeInterpreter {
  /** The ids of files at OpenAI that the code may read. */
  files?: string[];
  /** The memory of the container. OpenAI only. */
  memory?: '1g' | '4g' | '16g' | '64g';
  /** The origin of the files' words: `system` by default; `none` if all of them are your own. Without files there are none. */
  source?: Source | 'none';
}

export interface ImageGeneration {
  /** The model that draws, such as `gpt-image-2`. The provider's choice by default. */
  imageModel?: string;
  /** Width and height in pixels, such as `1536x1024`, or `auto`. */
  size?: string;
  quality?: 'low' | 'medium' | 'high' | 'auto';
  format?: 'png' | 'jpeg' | 'webp';
  background?: 'transparent' | 'opaque' | 'auto';
}

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

function checked<Options extends object>(name: keyof typeof rules, options: Options): Options {
  checkOptions(`hosted.${name}`, options, rules[name]);
  const { allowedDomains, blockedDomains } = options as WebSearch;
  if (allowedDomains && blockedDomains)
    throw new ConfigurationError(`hosted.${name}: blockedDomains: leave it out beside allowedDomains`);
  return options;
}

const outside = (given: Source | 'none' | undefined, byDefault: Source | undefined): { source?: Source } => {
  const source = given ?? byDefault;
  return source && source !== 'none' ? { source } : {};
};

/**
 * The tools that providers run. An agent lists them in `tools`, beside its own.
 *
 * @throws ConfigurationError naming the field, at build time.
 */
export const hosted = {
  /**
   * Searches the web, and reads pages that it finds. At OpenAI and Anthropic.
   *
   * @example
   * ```ts
   * import { defineAgent, hosted } from 'vigil';
   *
   * const reporter = defineAgent({
   *   name: 'reporter',
   *   purpose: 'Tells what is new in a museum.',
   *   instructions: 'You answer with what you find, and say where.',
   *   model: 'gpt-6.1-terra',
   *   tools: [hosted.webSearch({ allowedDomains: ['museum.example.org'] })],
   * });
   * reporter.hosted.map(({ name }) => name); // → ['web_search']
   * ```
   */
  webSearch: (options: WebSearch = {}): HostedTool => ({
    kind: 'hosted',
    name: 'web_search',
    settings: checked('webSearch', options),
    source: 'web',
    description: 'Searches the web. The provider of the model does it.',
  }),

  /**
   * Reads pages and PDF files whose addresses stand in the conversation. At Anthropic.
   *
   * @example
   * ```ts
   * import { hosted } from 'vigil';
   *
   * hosted.webFetch({ maxUses: 3, citations: true }).name; // → 'web_fetch'
   * hosted.webFetch({ allowedDomains: ['https://museum.example.org'] }); // throws allowedDomains[0]: must be a domain
   * ```
   */
  webFetch: (options: WebFetch = {}): HostedTool => ({
    kind: 'hosted',
    name: 'web_fetch',
    settings: checked('webFetch', options),
    source: 'web',
    description: 'Reads pages of the web. The provider of the model does it.',
  }),

  /**
   * Searches files in vector stores. At OpenAI.
   *
   * @example
   * ```ts
   * import { hosted } from 'vigil';
   *
   * hosted.fileSearch({ vectorStores: ['vs_123'] }).source; // → 'system'
   * hosted.fileSearch({ vectorStores: ['vs_123'], source: 'none' }).source; // → undefined
   * ```
   */
  fileSearch: (options: FileSearch): HostedTool => {
    const { source, ...settings } = checked('fileSearch', options);
    return {
      kind: 'hosted',
      name: 'file_search',
      settings,
      ...outside(source, 'system'),
      description: 'Searches files that are stored at the provider of the model.',
    };
  },

  /**
   * Runs programs that the model writes, in a container of the provider. At OpenAI and Anthropic.
   *
   * @example
   * ```ts
   * import { hosted } from 'vigil';
   *
   * hosted.codeInterpreter().source; // → undefined
   * hosted.codeInterpreter({ files: ['file_123'] }).source; // → 'system'
   * ```
   */
  codeInterpreter: (options: CodeInterpreter = {}): HostedTool => {
    const { source, ...settings } = checked('codeInterpreter', options);
    return {
      kind: 'hosted',
      name: 'code_interpreter',
      settings,
      ...outside(source, settings.files && 'system'),
      description: 'Runs programs in a container of the provider of the model.',
    };
  },

  /**
   * Draws pictures, and changes those of the conversation. They are files of the reply. At OpenAI.
   *
   * @example
   * ```ts
   * import { hosted } from 'vigil';
   *
   * hosted.imageGeneration({ size: '1536x1024', quality: 'low' }).name; // → 'image_generation'
   * hosted.imageGeneration({ size: 'large' }); // throws size: must be like "1536x1024", or "auto"
   * ```
   */
  imageGeneration: (options: ImageGeneration = {}): HostedTool => ({
    kind: 'hosted',
    name: 'image_generation',
    settings: checked('imageGeneration', options),
    description: 'Draws pictures. The provider of the model does it.',
  }),
};

export const isHosted = (tool: { kind: string }): tool is HostedTool => tool.kind === 'hosted';

type Kind = Provider['kind'];
/** The hosted tools of each API, and the settings that it has. */
const offered: Record<Kind, Partial<Record<HostedName, readonly (keyof HostedSettings)[]>>> = {
  openai: {
    web_search: ['allowedDomains', 'contextSize', 'location'],
    file_search: ['vectorStores', 'maxResults'],
    code_interpreter: ['files', 'memory'],
    image_generation: ['imageModel', 'size', 'quality', 'format', 'background'],
  },
  anthropic: {
    web_search: ['allowedDomains', 'blockedDomains', 'maxUses', 'location'],
    web_fetch: ['allowedDomains', 'blockedDomains', 'maxUses', 'maxContentTokens', 'citations'],
    code_interpreter: [],
  },
  chat: {},
  bedrock: {},
};

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
 * @param kind the API of the deployment's own provider, for agents without one: `openai` unless more is known.
 * @throws ConfigurationError naming the agent, the tool and the provider.
 */
export function checkHosted({ name: agent, tools, hosted, model: { provider } }: Having, kind: Kind = 'openai'): void {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`agent ${agent}: tools: ${problem}`);
  };
  const whose = provider ? `the provider "${provider.name}"` : "the deployment's provider";
  const api = provider?.kind ?? kind;
  const twice = hosted.find(({ name }, index) => hosted.findIndex((one) => one.name === name) !== index);
  if (twice) refuse(`${twice.name} is listed twice`);
  for (const { name, settings = {} } of hosted) {
    const known = offered[api][name];
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

/** Returns the outside sources of what hosted tools may bring. */
export const sourcesOfTools = (hosted: readonly HostedTool[]): Source[] | undefined =>
  joined(hosted.flatMap(({ source }) => source ?? []));

/** Returns the outside sources of what hosted tools have brought into a reply. What the agent does not have is unknown. */
export const sourcesOfUses = (hosted: readonly HostedTool[], uses: readonly HostedUse[] = []): Source[] | undefined =>
  joined(
    uses.flatMap(({ tool }) => {
      const known = hosted.find(({ name }) => name === tool);
      return known ? (known.source ?? []) : 'unknown';
    }),
  );
