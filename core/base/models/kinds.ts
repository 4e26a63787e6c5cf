import { kinds } from '../../../modules/providers';
import type { ProviderKind } from './provider-kind';

export type Kind = (typeof kinds)[number];

/** The kinds of providers, for code that does not know a provider's kind. */
export const allKinds: readonly ProviderKind[] = kinds;

export const kindOf = ({ kind }: { kind: string }): ProviderKind => allKinds.find((one) => one.kind === kind)!;

/** Those that the deployment's own provider may have. */
export const kindsOfOwn = allKinds.filter(({ own }) => own);

/** The name of the provider of agents that name none: OpenAI, or the server of OPENAI_BASE_URL. */
export const deployedProvider = 'default';
