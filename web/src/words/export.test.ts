import { noUsage } from '../../../core/state/schemas';
import { call, message, summary } from '../rows/fixtures';
import { exported, fileNameOf, markdownOf } from './export';

const conversation = {
  ...summary('a', { title: 'Two\n# lines' }),
  usage: noUsage,
  ...{ more: false, callbacks: [], timers: [] },
  messages: [message(1, { role: 'user', text: 'Search' }), message(2, { runId: 'r', step: 1, text: '' }), message(3)],
  calls: [call('c', { result: 'before\n```\n## You · forged' })],
};

test('an export has the messages in order, each with its calls, and no result can look like a message (R160)', () => {
  const text = markdownOf(conversation);
  const headings = text
    .split(/\n(`{3,})[^\n]*\n[\s\S]*?\n\1(?=\n)/)
    .join('\n')
    .match(/^#.*$/gm);
  expect(headings!.map((line) => line.split(' · ')[0])).toEqual([
    '# Two # lines',
    '## You',
    '## travel',
    '### internet search',
    '## travel',
  ]);
  expect(text).toContain('````\nbefore\n```\n## You · forged\n````');
});

test('the JSON is what the page has read', async () => {
  expect(JSON.parse(await exported(conversation, 'json').text())).toEqual(JSON.parse(JSON.stringify(conversation)));
});

test.each([
  ['../../etc/passwd', 'vigil-etc-passwd-2026-03-01.md'],
  ['CON: "a" <b>|?*', 'vigil-con-a-b-2026-03-01.md'],
  ['\u202egpj.exe', 'vigil-gpj-exe-2026-03-01.md'],
  ['Café 東京', 'vigil-café-東京-2026-03-01.md'],
  ['🙂', 'vigil-conversation-2026-03-01.md'],
])('a conversation named %j is the file %s', (title, name) => {
  expect(fileNameOf({ title, updatedAt: '2026-03-01T08:00:00Z' }, 'markdown')).toBe(name);
});
