import type { Needs } from '../../core/tool';

/** Embeddings come from the model's server, with the model's key. */
export const embeddingNeeds: Needs = {
  secrets: { OPENAI_API_KEY: 'The API key of the model’s server' },
  variables: ['OPENAI_BASE_URL', 'VIGIL_EMBEDDING_MODEL'],
};
