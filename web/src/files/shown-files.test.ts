import { filesIn } from 'vigil-client/shared';
import { filesOfMessage } from './shown-files';

const id = `f_${'a'.repeat(43)}`;
const part = { type: 'file' as const, id, mediaType: 'image/png', filename: 'chart.png', size: 9 };

test('files are found anywhere in a value, each once (R215)', () => {
  expect(filesIn({ charts: [{ of: part }, part], text: 'f_', more: null })).toEqual([part]);
  expect(
    filesIn([
      { ...part, id: 'f_short' },
      { ...part, size: '9' },
      { ...part, type: 'data' },
    ]),
  ).toEqual([]);
  expect(filesIn('text')).toEqual([]);
});

test('a message has the same files before it is stored and afterwards, with their small pictures (R215)', () => {
  const draft = { key: 'k', name: 'chart.png', mediaType: 'image/png', size: 9, id, preview: 'AAAA' };
  const unsent = { clientMessageId: 'm', conversationId: 'c', text: '', status: 'queued' as const, createdAt: '' };
  const before = filesOfMessage(undefined, { ...unsent, files: [draft] });
  expect(before).toEqual([{ id, mediaType: 'image/png', filename: 'chart.png', size: 9, preview: 'AAAA' }]);
  expect(filesOfMessage({ parts: [{ type: 'text', text: 'Hi' }, part] })).toMatchObject(before);
});
