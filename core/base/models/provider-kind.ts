import type { HostedName } from '../content/sources';
import type { Problem, Rule } from '../schemas/definition';
import type { HostedSettings } from './hosted';

/**
 * A kind of providers: what definitions, their checks and the synthesis know of it. A module has it in its file `provider.ts`, which
 * `modules/providers.ts` lists; the module's file `model.ts` calls the models (`lambdas/models/module.ts`).
 *
 * `Spec` has the fields of its providers, and `Choice` the additional settings of its models.
 */
export interface ProviderKind<Spec extends object = object, Choice extends object = object> {
  kind: string;
  /** Its folder in `modules`. */
  module: string;
  rule: Rule;
  /** Whether its providers are servers: a variable can replace their address, and they may have a key. */
  isServer: boolean;
  /** Returns the deployment's own provider, if this kind is that of OPENAI_BASE_URL and VIGIL_MODEL_API. */
  own?(server: OwnServer): Spec | undefined;
  /** Checks what `rule` cannot. */
  check?(spec: Spec): Problem | undefined;
  /** The settings of `Choice`, and what authors with another kind of provider read. */
  choice?: Readonly<Record<string, { rule: Rule; elsewhere: string }>>;
  /** Fields of `extra` that no model reads, whatever its provider, and what to do instead. */
  notInExtra?: Readonly<Record<string, string>>;
  /** Checks the settings of a model of this kind. */
  checkChoice?(choice: CheckedChoice & Choice): Problem | undefined;
  /** The fields that its request builder sets. Tests compare them with what is sent. */
  sets: FieldsSet;
  /** The tools that its providers run, and the settings that each has there. */
  hosted: Partial<Record<HostedName, readonly (keyof HostedSettings)[]>>;
  /** Returns the rights that CallModel needs. */
  rights?(calls: readonly { provider: Spec; choice: CheckedChoice & Choice }[], place: Place): Right[];
}

export interface OwnServer {
  name: string;
  baseUrl: string | undefined;
  /** `responses` or `chat`. */
  api: string | undefined;
}

/** What sets a field of a request: always, or with a setting of the model, the agent or the provider. */
export type FieldsSet = Readonly<Record<string, readonly string[]>>;
export const always = ['Vigil'] as const;

interface CheckedChoice {
  name: string;
  temperature?: number;
  extra?: Readonly<Record<string, unknown>>;
}

/** Where a stack is deployed. Its values may be tokens of the CDK. */
export interface Place {
  partition: string;
  account: string;
  region: string;
}

/** A statement of a policy. */
export interface Right {
  action: string;
  resources: readonly string[];
  conditions?: Readonly<Record<string, unknown>>;
  /** Why some of the resources have a wildcard. */
  reason?: string;
}

export type SpecOf<Kind> = Kind extends ProviderKind<infer Spec, infer _> ? Spec : never;
export type ChoiceOf<Kind> = Kind extends ProviderKind<infer _, infer Choice> ? Choice : never;
