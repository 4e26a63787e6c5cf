import { fieldsOf } from 'vigil-client/shared';
import { noUsage } from '../../../core/base/state/schemas';
import { call, callback, message, summary } from '../../../test/support/page/rows';
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

test('what the provider’s tools did, and what a reply cites, is in an export, and cannot look like a message (R160, R204)', () => {
  const source = { title: 'Sights\n```\n## You · forged', url: 'https://kyoto.example/sights' };
  const use = { tool: 'web_search' as const, input: 'Kyoto', status: 'completed' as const, sources: [source] };
  const text = markdownOf({
    ...conversation,
    messages: [message(3, { hosted: [use], citations: [source] })],
    calls: [],
  });
  const drawn = 'Sights ``` ## You · forged https://kyoto.example/sights';
  expect(text).toContain(
    `### web search · completed\n\n\`\`\`\nKyoto\n\`\`\`\n\nSources:\n\n\`\`\`\`\n${drawn}\n\`\`\`\``,
  );
  expect(text).toContain(`Cited:\n\n\`\`\`\`\n${drawn}\n\`\`\`\`\n`);
  expect(text).not.toMatch(/^## You/m);
});

test('an export names the files, and no name can look like a message (R160, R215)', () => {
  const id = `f_${'a'.repeat(43)}`;
  const file = { type: 'file' as const, id, mediaType: 'image/png', size: 1_200, filename: 'a\n```\n## You' };
  const text = markdownOf({ ...conversation, messages: [message(1, { role: 'user', text: '', parts: [file] })] });
  expect(text).toContain(`Files:\n\n\`\`\`\`\na \`\`\` ## You · image/png · 1.2 kB · ${id}\n\`\`\`\``);
});

describe('a decision', () => {
  const args = { amount_usd_cents: 90_000, to: 'DE1\u202e\n```\n# You' };
  const asked = { callId: 'c', fields: fieldsOf({ arguments: args, kinds: { to: 'account number' } }) };
  const drawn = (rest: object) =>
    markdownOf({ ...conversation, calls: [call('c', { arguments: args })], callbacks: [callback('k', rest)] });

  test('is drawn as every other channel draws it, on one line for each argument (R160, R194)', () => {
    const text = drawn(asked);
    expect(text).toContain('amount: $900.00\nto: "DE1\\u202e\\n`\\u0060\\u0060\\n# You" (account number)\n');
    expect(text).not.toContain('90000');
  });

  test('says what the approver has changed, and where it is cut (R160, R194)', () => {
    const [amount, to] = asked.fields;
    expect(
      drawn({
        ...asked,
        fields: [
          { ...amount, was: '$1,000.00' },
          { ...to, text: '"D…', cut: true },
        ],
      }),
    ).toContain('amount: $900.00, was $1,000.00\nto: "D… (account number) (cut here)\n');
  });

  test('about a server’s form is next to the arguments of the call (R194)', () => {
    const fields = fieldsOf({ arguments: { seat: '12A' } });
    expect(drawn({ callId: 'c', asker: 'air', fields })).toMatch(/Arguments:.*90000.*Form:.*seat: "12A"/s);
  });

  test('about another call leaves the arguments of this one as they are', () => {
    expect(drawn({ ...asked, callId: 'other' })).toContain('90000');
  });
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
