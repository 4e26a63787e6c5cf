import { parseHTML } from 'linkedom';
import { act, createElement, StrictMode } from 'react';
import type { Client } from '../client';
import type { ConversationState } from '../feeds/conversation';
import { newFeed } from '../feeds/feed';

const { window, document } = parseHTML('<main></main>');
Object.assign(globalThis, { window, document, navigator: { userAgent: '' }, IS_REACT_ACT_ENVIRONMENT: true });

const { createRoot } = jest.requireActual<typeof import('react-dom/client')>('react-dom/client');
const { useApprovals, useConversation, useConversations, VigilProvider } =
  jest.requireActual<typeof import('./index')>('./index');

/** A client of which each part is a feed that the test changes. */
function given() {
  const ends = jest.fn();
  const begins = jest.fn(() => ends);
  const conversation = newFeed<ConversationState>({ status: 'loading' }, begins);
  const approvals = newFeed({ status: 'ready' as const, approvals: [{ conversationId: 'b' }] }, begins);
  const conversations = newFeed({ status: 'ready' as const, conversations: [{ id: 'a' }], hasMore: false }, begins);
  const send = jest.fn();
  const client = { conversation: () => ({ ...conversation, send }), conversations, approvals } as unknown as Client;
  return { client, conversation, begins, ends, send };
}
const main = document.querySelector('main')!;

test('hooks draw what is followed, each change once, and end with their component (R177)', () => {
  const { client, conversation, begins, ends, send } = given();
  let drawn = 0;
  let say: (text: string) => unknown = () => undefined;
  function Chat() {
    drawn += 1;
    const { status, messages, send } = useConversation('a');
    say = send;
    const [list, waiting] = [useConversations().conversations, useApprovals().approvals];
    return createElement('p', null, [status, ...messages.map(({ text }) => text), list.length, waiting.length].join());
  }
  const root = createRoot(main as unknown as Element);
  act(() => root.render(createElement(VigilProvider, { client }, createElement(Chat))));
  expect([main.textContent, begins.mock.calls.length]).toEqual(['loading,1,1', 3]);
  const before = drawn;
  act(() => conversation.change({ status: 'ready', conversation: { messages: [{ text: 'Hi' }] } as never }));
  act(() => conversation.change({ status: 'ready' }));
  expect([main.textContent, drawn - before]).toEqual(['ready,Hi,1,1', 1]);
  say('Hello');
  expect(send.mock.calls[0]![0]).toMatchObject({ text: 'Hello', timeZone: expect.any(String) });
  act(() => root.unmount());
  expect(ends).toHaveBeenCalledTimes(3);
});

test('in strict mode each is followed once in the end; without a provider, the error says so (R177)', () => {
  const { client, begins, ends } = given();
  const Chat = () => useConversation('a').status;
  const root = createRoot(main as unknown as Element);
  const chat = createElement(VigilProvider, { client }, createElement(Chat));
  act(() => root.render(createElement(StrictMode, null, chat)));
  expect(begins.mock.calls.length - ends.mock.calls.length).toBe(1);
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => act(() => root.render(createElement(Chat)))).toThrow('put a VigilProvider');
});
