import * as z from 'zod';
import { TellModel } from '../../core/base/text/errors';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { forgotten, isFull, readMemories, remembered } from '../../core/people/memory/memories';
import { deployedEmbedder } from '../../runtime/embedder';
import { serveTool } from '../../runtime/serve-tool';

const embedder = deployedEmbedder();

export const remember = defineTool({
  name: 'remember',
  title: 'Keep in memory',
  description:
    'Keeps a fact that the user told you about themselves or their wishes, for other conversations with them. Keep only what they ' +
    'would want you to know next time, one fact per call, in a self-contained sentence. Never keep passwords or card numbers.',
  input: z.object({ fact: z.string().min(3).max(1_000).describe('For example: "The user is vegetarian."') }),
  output: z.object({ remembered: z.string(), memory_id: z.string() }),
  effect: 'table',
  needs: { embeddings: true, partitions: ['U#'] },
  async execute({ fact }, { user, callId, conversationId, now, table, sources }) {
    const memories = await readMemories(table, user);
    if (memories.some(({ text }) => text === fact)) throw new TellModel('This is already remembered.');
    if (isFull(memories)) throw new TellModel('The memory is full: the user must delete something first.');
    const [vector] = (await embedder.embed([fact])).vectors;
    const memory = { id: callId, text: fact, conversationId, sources, createdAt: now.toISOString() };
    return tableEffect({
      output: { remembered: fact, memory_id: callId },
      rows: [remembered(user, { ...memory, vector: vector!, embeddingModel: embedder.model })],
    });
  },
  async compensate(_input, _output, { user, callId, now, table }) {
    const there = (await readMemories(table, user)).some(({ id }) => id === callId);
    return tableEffect({ output: undefined, rows: there ? [forgotten(user, callId, now)] : [] });
  },
});

export const handler = serveTool(remember);
