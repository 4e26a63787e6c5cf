import { sourceWords as ofClient, type Source } from 'vigil-client/shared';
import { sourceWords } from './source-words';

test('the page names sources as the client does for models and e-mails (R256)', () => {
  const all: Record<Source, string> = { web: '', person: '', system: '', file: '', unknown: '' };
  for (const source of Object.keys(all) as Source[]) expect(sourceWords([source])).toBe(ofClient([source]));
  expect(sourceWords(['person', 'web'])).toBe(ofClient(['person', 'web']));
});
