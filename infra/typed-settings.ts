import {
  anyText,
  anything,
  fields,
  flag,
  listOf,
  number,
  oneOf,
  optional,
  type RulesOf,
  recordOf,
  text,
} from '../core/base/schemas/definition';

/** Limits of all runs of one user in a day. */
export interface Spending {
  readonly steps?: number;
  readonly tokens?: number;
  /** Millionths of a dollar. */
  readonly costMicrodollars?: number;
}

/** Whole numbers of at least 1. Those that are not set are the defaults of docs/settings.md, or no limit. */
export interface Limits {
  /** For each run since its last message, instead of its agent's own limit. */
  readonly stepsOfRun?: number;
  /** Millionths of a dollar. */
  readonly costMicrodollarsOfRun?: number;
  /** For all runs of a user in a calendar month (UTC). */
  readonly monthOfUser?: Pick<Spending, 'costMicrodollars'>;
  /** In a day (UTC). */
  readonly dayOfUser?: Spending;
  /** The part of both, in percent, after which runs of conversations that a user shares stop. 50 by default. */
  readonly sharedPercent?: number;
  readonly runsOfUser?: number;
  readonly conversationsOfUser?: number;
  readonly timersOfUser?: number;
}

/** The deployment's own provider, and what applies to the models of all agents. */
export interface Models {
  /** A server of the Responses API or the chat completions API, instead of OpenAI's. */
  readonly baseUrl?: string;
  readonly api?: 'responses' | 'chat';
  /** The model of all agents, instead of each agent's own. */
  readonly model?: string;
  /** The addresses of providers that agents name, by their names. */
  readonly baseUrlOf?: Record<string, string>;
  /** Whether a model names conversations. Default: true. */
  readonly titles?: boolean;
  /** Dollars per million tokens: input, output and, optionally, cached input. */
  readonly prices?: Record<string, readonly number[]>;
  /**
   * The model of the search by meaning, and its server; `model: 'none'` turns it and memory off. `messages`: whether what is said is found
   * by meaning. Default: where agents have a memory.
   */
  readonly embeddings?: { readonly model?: string; readonly baseUrl?: string; readonly messages?: boolean };
}

/** Groups of the user directory with more rights than other users. */
export interface Groups {
  /** May read agents' instructions, replace them and the model in a fork, and open runs in Step Functions. */
  readonly developers?: string;
}

export interface TypedSettings {
  readonly limits?: Limits;
  readonly models?: Models;
  /** The address of the page, if the construct hosts none: where notifications and MCP clients lead people. */
  readonly pageUrl?: string;
  readonly groups?: Groups;
  /** Origins of other pages that may call the API from a browser. */
  readonly webOrigins?: string[];
  /** Claims of access tokens that are kept with a run, for its instructions and tools. Default: none. */
  readonly keptClaims?: string[];
  /** Whether other backends may start conversations for users. Default: false. */
  readonly machines?: boolean;
}

const anyTextOrNone = optional(anyText);
const texts = optional(listOf(text));
// Whether it is a whole number is checked in settings-table.ts.

/** The rules of the settings. Values that need more than a type have errors of their own. */
export const typedSettings: RulesOf<TypedSettings> = {
  limits: optional(
    fields<Limits>({
      stepsOfRun: anything,
      costMicrodollarsOfRun: anything,
      monthOfUser: optional(fields<NonNullable<Limits['monthOfUser']>>({ costMicrodollars: anything })),
      dayOfUser: optional(fields<Spending>({ steps: anything, tokens: anything, costMicrodollars: anything })),
      sharedPercent: anything,
      runsOfUser: anything,
      conversationsOfUser: anything,
      timersOfUser: anything,
    }),
  ),
  models: optional(
    fields<Models>({
      baseUrl: anyTextOrNone,
      api: optional(oneOf('responses', 'chat')),
      model: anyTextOrNone,
      baseUrlOf: optional(recordOf(anyText)),
      titles: optional(flag),
      prices: optional(recordOf(listOf(number))),
      embeddings: optional(
        fields<NonNullable<Models['embeddings']>>({
          model: anyTextOrNone,
          baseUrl: anyTextOrNone,
          messages: optional(flag),
        }),
      ),
    }),
  ),
  pageUrl: anyTextOrNone,
  groups: optional(fields<Groups>({ developers: anyTextOrNone })),
  webOrigins: texts,
  keptClaims: texts,
  machines: optional(flag),
};
