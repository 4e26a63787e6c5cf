import {
  again,
  due,
  isBegun,
  lastUnsent,
  queue,
  refused,
  sending,
  type UnsentMessages,
  waiting,
  without,
  withoutStored,
} from './unsent';

const of = (clientMessageId: string, conversationId = 'c', agent?: string) => ({
  clientMessageId,
  conversationId,
  agent,
  text: `Text ${clientMessageId}`,
  createdAt: '',
});
const unsent = (...ids: string[]): UnsentMessages => ids.reduce<UnsentMessages>((all, id) => queue(all, of(id)), []);
const ids = (all: readonly { clientMessageId: string }[]) => all.map(({ clientMessageId }) => clientMessageId);

test('each conversation sends one message at a time, in the order written', () => {
  const two = queue(unsent('1', '2'), of('x', 'other'));
  expect(ids(due(two))).toEqual(['1', 'x']);
  expect(ids(due(sending(two, '1')))).toEqual(['x']);
  expect(ids(due(without(two, '1')))).toEqual(['2', 'x']);
});

test('a rejected message blocks no other, unless it was to start the conversation', () => {
  expect(ids(due(refused(unsent('1', '2'), '1', 'no')))).toEqual(['2']);
  const start = queue(queue([], of('1', 'c', 'travel')), of('2'));
  expect(ids(due(refused(start, '1', 'no')))).toEqual([]);
});

test('without a response, it says why, and is sent again under the same id', () => {
  const back = waiting(sending(unsent('1'), '1'), '1', 'too busy');
  expect(ids(due(back))).toEqual(['1']);
  expect(back[0]!.problem).toBe('too busy');
  expect(sending(back, '1')[0]!.problem).toBe('too busy');
});

test('its row replaces it; other rows change nothing', () => {
  const one = unsent('1');
  expect(withoutStored(one, [{ clientMessageId: '1' }])).toEqual([]);
  expect(withoutStored(one, [{ clientMessageId: '9' }, {}])).toBe(one);
});

test('when retried, it follows later messages, and no longer says why it was rejected', () => {
  const after = again(refused(unsent('1', '2'), '1', 'busy'), '1');
  expect(ids(after)).toEqual(['2', '1']);
  expect(after[1]).toMatchObject({ status: 'queued', problem: undefined });
});

test('when retried, a message that starts the conversation stays before later ones', () => {
  const start = refused(queue(queue([], of('1', 'c', 'travel')), of('2')), '1', 'no');
  expect(ids(again(start, '1'))).toEqual(['1', '2']);
  expect(due(again(start, '1'))).toMatchObject([{ clientMessageId: '1', agent: 'travel', problem: undefined }]);
});

test('when discarded, a message that was to start the conversation leaves that to the next one', () => {
  const others = queue(queue([], of('1', 'c', 'travel')), of('x', 'other'));
  expect(isBegun(others, 'c')).toBe(true);
  expect(isBegun(without(others, '1'), 'c')).toBe(false);
  const next = without(queue(others, of('2')), '1');
  expect(next).toMatchObject([
    { clientMessageId: 'x', agent: undefined },
    { clientMessageId: '2', agent: 'travel' },
  ]);
});

test('the last message whose request is not in progress can be taken back', () => {
  expect(lastUnsent(sending(unsent('1', '2'), '1'), 'c')?.clientMessageId).toBe('2');
  expect(lastUnsent(sending(unsent('1'), '1'), 'c')).toBeUndefined();
  expect(lastUnsent(unsent('1'), 'other')).toBeUndefined();
});
