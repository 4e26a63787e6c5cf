import type { Message } from 'vigil-client';
import { type Call, sourceWords as ofClient, type Source } from 'vigil-client/shared';
import { sourceWords, untrustedIn } from './sources';

const row = (fields: object) => fields as Message & Call;

test('words from outside are named by number and call, unless they are trusted or still to come (R144)', () => {
  const messages = [
    row({ seq: 1 }),
    row({ seq: 2, sources: ['system'] }),
    row({ seq: 3, sources: ['web'], trusted: true }),
    row({ seq: 4, recalledSources: ['unknown'] }),
  ];
  const calls = [
    row({ id: 'a', sources: ['web'], completedAt: 't' }),
    row({ id: 'b', sources: ['web'] }),
    row({ id: 'c', sources: [], completedAt: 't' }),
  ];
  expect(untrustedIn({ messages, calls })).toEqual({ messages: [2, 4], calls: ['a'] });
});

test('the page names sources as the client does for models and e-mails (R256)', () => {
  const all: Record<Source, string> = { web: '', member: '', person: '', system: '', file: '', unknown: '' };
  for (const source of Object.keys(all) as Source[]) expect(sourceWords([source])).toBe(ofClient([source]));
  expect(sourceWords(['person', 'web'])).toBe('another person and the web');
});
