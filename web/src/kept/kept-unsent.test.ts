import { unsentFrom } from './kept-unsent';
import { due, queue, refused, sending } from './unsent';

const of = (clientMessageId: string) => ({
  clientMessageId,
  conversationId: 'c',
  text: `Text ${clientMessageId}`,
  createdAt: '',
});

test('interrupted messages are sent again in the same order; rejected ones wait for a decision', () => {
  const all = refused(sending(queue(queue(queue([], of('1')), of('2')), of('3')), '1'), '3', 'no');
  const kept = unsentFrom(JSON.stringify(all));
  expect(kept.map(({ clientMessageId, status }) => [clientMessageId, status])).toEqual([
    ['1', 'queued'],
    ['2', 'queued'],
    ['3', 'refused'],
  ]);
  expect(due(kept)).toMatchObject([{ clientMessageId: '1' }]);
});

test('missing or unreadable messages are none', () => {
  for (const kept of [null, '', '{', '7']) expect(unsentFrom(kept)).toEqual([]);
});
