import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shipped } from '../agents';
import { agentLoop } from './agent-loop';
import { illustrated } from './picture';

test('the picture and the table in the docs are those of the definition that ships', () => {
  const document = readFileSync(join(__dirname, '..', 'docs', 'agent-loop.md'), 'utf8');
  // Not the same? `npx tsx statemachines/picture.ts` draws them again.
  expect(document).toBe(illustrated(document, agentLoop([...shipped.tools.values()])));
});
