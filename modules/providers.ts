import { anthropicKind } from './anthropic/provider';
import { bedrockKind } from './bedrock/provider';
import { chatKind, openaiKind } from './openai/provider';

/** The kinds of providers that `defineProvider` knows. Definitions load them: they import no client. */
export const kinds = [openaiKind, chatKind, anthropicKind, bedrockKind];
