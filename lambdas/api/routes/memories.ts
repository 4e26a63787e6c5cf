import * as z from 'zod';
import { forget, readMemories } from '../../../core/people/memory/memories';
import { Memory } from '../../../core/people/memory/memory';
import type { App, Deployment } from '../deployment';
import { route } from '../route';
import { json, PartId, problem } from '../shapes';

const Memories = z.object({ memories: z.array(Memory) }).openapi('Memories');

const list = route('listMemories', 'User', {
  method: 'get',
  path: '/memories',
  summary: 'What agents remember about you, newest first',
  responses: { 200: json('All memories', Memories) },
});

const remove = route('deleteMemory', 'User', {
  method: 'delete',
  path: '/memories/{memoryId}',
  summary: 'Forgets a memory',
  request: { params: z.object({ memoryId: PartId.openapi({ description: 'The id of the memory' }) }) },
  responses: { 204: { description: 'Forgotten' }, 404: problem('You have no such memory') },
});

export function memoryRoutes(app: App, { table }: Deployment): void {
  app.openapi(list, async (context) => {
    const memories = await readMemories(table, context.get('user'));
    const latest = memories.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    return context.json({ memories: latest.map((memory) => Memory.parse(memory)) }, 200);
  });

  app.openapi(remove, async (context) => {
    await forget(table, context.get('user'), context.req.valid('param').memoryId, new Date());
    return context.body(null, 204);
  });
}
