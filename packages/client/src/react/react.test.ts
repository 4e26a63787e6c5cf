import { parseHTML } from 'linkedom';
import { act, createElement, StrictMode } from 'react';
import type { Client } from '../client';
import type { ConversationState } from '../feeds/conversation';
import { newFeed } from '../feeds/feed';
import { nobody } from '../feeds/people';

const { window, document } = parseHTML('<main></main>');
Object.assign(globalThis, { window, document, navigator: { userAgent: '' }, IS_REACT_ACT_ENVIRONMENT: true });

const { createRoot } = jest.requireActual<typeof import('react-dom/client')>('react-dom/client');
const { useApprovals, useClient, useConversation, useConversations, useFeed, useHome, VigilProvider } =
  jest.requireActual<typeof import('./index')>('./index');

/** A client of which each part is a feed that the test changes. */
function given() {
  const ends = jest.fn();
  const begins = jest.fn(() => ends);
  const conversation = newFeed<ConversationState>({ status: 'loading', people: nobody }, begins);
  const approvals = newFeed({ status: 'ready' as const, approvals: [{ conversationId: 'b' }] }, begins);
  const conversations = newFeed({ status: 'ready' as const, conversations: [{ id: 'a' }], hasMore: false }, begins);
  const send = jest.fn();
  const hides = jest.fn();
  const home = {
    ...newFeed({ status: 'ready' as const, timers: [{ id: 't' }], usage: [] }, begins),
    show: () => hides,
  };
  const client = { conversation: () => ({ ...conversation, send }), conversations, approvals, home };
  return { client: client as unknown as Client, conversation, conversations, begins, ends, hides, send };
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

test('without an id, no conversation is followed, and what is sent is refused (R177)', async () => {
  const { client, begins } = given();
  let say: (text: string) => Promise<unknown> = async () => undefined;
  const Chat = ({ id }: { id?: string }) => {
    const { status, send } = useConversation(id);
    say = send;
    return status;
  };
  const root = createRoot(main as unknown as Element);
  const chat = (id?: string) => createElement(VigilProvider, { client }, createElement(Chat, { id }));
  act(() => root.render(chat()));
  expect([main.textContent, begins.mock.calls.length]).toEqual(['loading', 0]);
  await expect(say('Hi')).rejects.toThrow('useConversation was called without an id');
  act(() => root.render(chat('a')));
  expect(begins).toHaveBeenCalledTimes(1);
  act(() => root.unmount());
});

test('a part of a feed is drawn when it changes; the home is shown while its component is mounted (R177)', () => {
  const { client, conversations, hides } = given();
  let drawn = 0;
  function More() {
    drawn += 1;
    return String(useFeed(useClient().conversations, ({ hasMore }) => hasMore));
  }
  const Timers = () => useHome().timers.map(({ id }) => id);
  const root = createRoot(main as unknown as Element);
  act(() => root.render(createElement(VigilProvider, { client }, createElement(More), createElement(Timers))));
  expect([main.textContent, drawn, hides.mock.calls.length]).toEqual(['falset', 1, 0]);
  act(() => conversations.change({ conversations: [] }));
  expect(drawn).toBe(1);
  act(() => conversations.change({ hasMore: true }));
  expect([main.textContent, drawn]).toEqual(['truet', 2]);
  act(() => root.unmount());
  expect(hides).toHaveBeenCalledTimes(1);
});
