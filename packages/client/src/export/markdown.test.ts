import { noUsage } from '../../../../core/base/state/schemas';
import { call, callback, message, summary } from '../../../../test/support/page/rows';
import { fieldsOf } from '../decisions/fields';
import { exportName } from './export-name';
import { conversationMarkdown } from './markdown';

const conversation = {
  ...summary('a', { title: 'Two\n# lines' }),
  usage: noUsage,
  more: false,
  callbacks: [],
  timers: [],
  messages: [message(1, { role: 'user', text: 'Search' }), message(2, { runId: 'r', step: 1, text: '' }), message(3)],
  calls: [call('c', { result: 'before\n```\n## You · forged' })],
};

test('an export has the messages in order, each with its calls, and no result can look like a message (R160)', () => {
  const text = conversationMarkdown(conversation);
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
  const text = conversationMarkdown({
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

test('what people think of a reply is in an export, and a reason cannot look like a message (R235)', () => {
  const feedback = [
    { user: 'ada', verdict: 'down' as const, reason: 'No.\n```\n## You · forged', at: '2026-03-01T08:00:00.000Z' },
    { user: 'ben', verdict: 'up' as const, dataset: true as const, at: '2026-03-01T08:00:00.000Z' },
  ];
  const text = conversationMarkdown({ ...conversation, messages: [message(3, { feedback })], calls: [] });
  expect(text).toContain('Feedback: thumbs down\n\n````\nNo.\n```\n## You · forged\n````');
  expect(text).toContain('Feedback: thumbs up, for the dataset\n');
});

test('an export names the files, and no name can look like a message (R160, R215)', () => {
  const id = `f_${'a'.repeat(43)}`;
  const file = { type: 'file' as const, id, mediaType: 'image/png', size: 1_200, filename: 'a\n```\n## You' };
  const text = conversationMarkdown({
    ...conversation,
    messages: [message(1, { role: 'user', text: '', parts: [file] })],
  });
  expect(text).toContain(`Files:\n\n\`\`\`\`\na \`\`\` ## You · image/png · 1.2 kB · ${id}\n\`\`\`\``);
});

describe('a decision', () => {
  const args = { amount_usd_cents: 90_000, to: 'DE1\u202e\n```\n# You' };
  const asked = { callId: 'c', fields: fieldsOf({ arguments: args, kinds: { to: 'account number' } }) };
  const drawn = (rest: object) =>
    conversationMarkdown({
      ...conversation,
      calls: [call('c', { arguments: args })],
      callbacks: [callback('k', rest)],
    });

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

test('beside their bytes, files are links; a name cannot be Markdown or HTML, and what is missing is said (R160, R216)', () => {
  const id = (sign: string) => `f_${sign.repeat(43)}`;
  const file = (sign: string, filename: string, mediaType = 'image/png') => ({
    type: 'file' as const,
    id: id(sign),
    mediaType,
    size: 1_200,
    filename,
  });
  const nasty = '](https://elsewhere.example) <img src=x>\n## You\u202e';
  const parts = [
    file('a', nasty),
    file('b', 'b.pdf', 'application/pdf'),
    file('c', 'c.csv', 'text/csv'),
    file('d', 'd'),
  ];
  const exported = new Map([
    [id('a'), { path: 'files/a (1)[x].png' }],
    [id('b'), { path: 'files/b.pdf', problem: 'the connection broke' }],
    [id('c'), { problem: 'There is no such file.' }],
  ]);
  const chart = call('c', { result: { chart: file('b', 'chart.pdf', 'application/pdf') } });
  const text = conversationMarkdown(
    { ...conversation, messages: [message(1, { role: 'user', text: '', parts })], calls: [chart] },
    exported,
  );
  expect(text).toContain(
    [
      'Files:',
      '',
      '- ![\\]\\(https\\:\\/\\/elsewhere\\.example\\) \\<img src\\=x\\> \\#\\# You\ufffd](files/a%20%281%29%5Bx%5D.png) · image\\/png · 1.2 kB',
      '- [b\\.pdf](files/b.pdf) · application\\/pdf · 1.2 kB · **incomplete**: the connection broke',
      '- c\\.csv · text\\/csv · 1.2 kB · **missing**: There is no such file\\.',
      '- d · image\\/png · 1.2 kB · **missing**: it is not in this export',
    ].join('\n'),
  );
  // What a tool has made is linked after its result.
  expect(text).toMatch(/Result:\n\n```json\n[\s\S]*```\n\nFiles:\n\n- \[chart\\\.pdf\]\(files\/b\.pdf\)/);
  expect(text).not.toMatch(/^## You$/m);
});

test.each([
  ['../../etc/passwd', 'vigil-etc-passwd-2026-03-01.md'],
  ['CON: "a" <b>|?*', 'vigil-con-a-b-2026-03-01.md'],
  ['\u202egpj.exe', 'vigil-gpj-exe-2026-03-01.md'],
  ['Café 東京', 'vigil-café-東京-2026-03-01.md'],
  ['🙂', 'vigil-conversation-2026-03-01.md'],
])('a conversation named %j is the file %s', (title, name) => {
  expect(exportName({ title, updatedAt: '2026-03-01T08:00:00Z' }, 'md')).toBe(name);
});
