import * as z from 'zod';
import { joined } from '../../core/base/content/sources';
import { withSources } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { Memory } from '../../core/people/memory/memory';
import { deployedEmbedder } from '../../runtime/embedder';
import { recall as search } from '../../runtime/recall';
import { serveTool } from '../../runtime/serve-tool';

const embedder = deployedEmbedder();

export const recall = defineTool({
  name: 'recall',
  title: 'Remember',
  description:
    'Searches, by meaning, what was remembered about the user in other conversations. It finds nothing that was not remembered, and ' +
    'nothing about other people.',
  input: z.object({
    query: z.string().min(1).max(1_000).describe('What you want to know about the user'),
    limit: z.number().int().min(1).max(20).nullable().describe('How many to list; null for 5'),
  }),
  output: z.object({ memories: z.array(Memory.pick({ id: true, text: true, createdAt: true, sources: true })) }),
  effect: 'read',
  // What was said elsewhere is for the owner, who says whether a member may hear it.
  askedBy: 'owner',
  needs: { embeddings: true, partitions: ['U#'] },
  async execute({ query, limit }, { user, table }) {
    const memories = await search(table, embedder, { user, words: query, limit: limit ?? 5 });
    return withSources({ memories }, joined(...memories.map(({ sources }) => sources)));
  },
});

export const handler = serveTool(recall);
