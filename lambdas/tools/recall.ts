import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { Memory } from '../../core/memory';
import { defineTool } from '../../core/tool';
import { openaiEmbedder } from '../embedder';
import { recall as search } from '../recall';
import { secret } from '../secret';
import { serveTool } from '../serve-tool';
import { embeddingNeeds } from './embedding-needs';

const key = secret(new SecretsManagerClient({}), 'OPENAI_API_KEY_SECRET_ARN', "the model's key");
const embedder = openaiEmbedder(key);

export const recall = defineTool({
  name: 'recall',
  description:
    'Searches by meaning in what the user told you in other conversations and you remembered. It finds nothing that was not ' +
    'remembered, and nothing of other people.',
  input: z.object({
    query: z.string().min(1).max(1_000).describe('What you want to know about the user'),
    limit: z.number().int().min(1).max(20).nullable().describe('How many to list; null for 5'),
  }),
  output: z.object({ memories: z.array(Memory.pick({ id: true, text: true, createdAt: true })) }),
  effect: 'read',
  needs: embeddingNeeds,
  async execute({ query, limit }, { user, table }) {
    return { memories: await search(table, embedder, { user, words: query, limit: limit ?? 5 }) };
  },
});

export const handler = serveTool(recall);
