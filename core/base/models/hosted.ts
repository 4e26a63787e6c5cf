import type { HostedName, HostedUse } from '../content/sources';
import { joined, type Source } from '../content/sources';
import { checked } from './hosted-checks';

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
export type HostedSettings = WebSearch & WebFetch & Partial<FileSearch> & CodeInterpreter & ImageGeneration;

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
export interface Location {
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
