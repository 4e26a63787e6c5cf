import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agentIcon, agentName } from './agents';

test('an agent has a name for people, and each that ships has an icon (R257)', () => {
  expect(['travel', 'loan-advisor', 'my_agent-2', 'Ada', 'épicerie', '日本'].map(agentName)).toEqual([
    'Travel',
    'Loan advisor',
    'My agent 2',
    'Ada',
    'Épicerie',
    '日本',
  ]);
  const shipped = readdirSync(join(__dirname, '../../../agents')).flatMap(
    (file) => /^(.+)-agent\.ts$/.exec(file)?.[1] ?? [],
  );
  expect(shipped.length).toBeGreaterThan(5);
  for (const name of shipped) expect([name, agentIcon(name)]).not.toContain(undefined);
  expect(agentIcon('tester')).toBeUndefined();
  expect(agentIcon('constructor')).toBeUndefined();
});
