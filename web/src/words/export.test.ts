import { noUsage } from '../../../core/base/state/schemas';
import { call, message, summary } from '../../../test/support/page/rows';
import { exportText } from './export';

const conversation = {
  ...summary('a', { title: 'Two lines' }),
  usage: noUsage,
  ...{ more: false, callbacks: [], timers: [] },
  messages: [message(1, { role: 'user', text: 'Search' })],
  calls: [call('c', { result: 'found' })],
};
const api = {
  read: async () => ({ ...conversation, calls: [] }),
  wholeCalls: async () => ({ calls: conversation.calls, more: false }),
};

test('the JSON is what the page has read, with its calls in full (R160)', async () => {
  const { content, name } = await exportText(api, 'a', 'json');
  expect(JSON.parse(await content.text())).toEqual(JSON.parse(JSON.stringify(conversation)));
  expect([content.type, name]).toEqual([
    'application/json;charset=utf-8',
    expect.stringMatching(/^vigil-two-lines-.*\.json$/),
  ]);
});

test('the Markdown is a file as well (R160)', async () => {
  const { content, name } = await exportText(api, 'a', 'markdown');
  expect(await content.text()).toContain('# Two lines\n');
  expect(name).toMatch(/\.md$/);
});
