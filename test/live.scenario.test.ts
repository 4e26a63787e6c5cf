import { once } from 'node:events';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createClient, type Feed } from 'vigil-client';
import { rowsOf } from 'vigil-client/shared';
import { WebSocket } from 'ws';
import type { Conversation } from '../core/base/state/schemas';
import { ServerMessage } from '../core/people/live/live';
import { tokenFor } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { type LiveClient, liveClient } from './support/live-client';
import { longTest } from './support/long';
import { call } from './support/stories/transcript';

// The live view over its WebSocket: two tabs of one user, each a client that keeps to the protocol of docs/live-protocol.md. What a
// client knows is compared with what a GET says: they must be the same, whatever was lost on the way.

const first = 'The first sentence. ';
const second = 'The second one. ';
const third = 'And the last.';
const answer = first + second + third;

describe('the live view', () => {
  let vigil: Vigil;
  let clients: LiveClient[];
  let following: (() => void)[];
  beforeAll(async () => {
    vigil = await startVigil();
  });
  afterAll(() => vigil?.stop());
  beforeEach(() => {
    clients = [];
    following = [];
    vigil.model.script(() => ({ text: 'Hello.' }));
  });
  afterEach(async () => {
    for (const leave of following) leave();
    await Promise.all(clients.map((client) => client.close()));
  });

  async function tab(name = 'ada'): Promise<LiveClient> {
    const client = await liveClient(await vigil.user(name));
    clients.push(client);
    return client;
  }
  /** The answer stands still after its second sentence. */
  const speaking = () => vigil.model.script([{ text: answer, holdAfter: (first + second).length + 1 }]);
  const texts = (client: LiveClient, id: string) => client.of(id)?.messages.map(({ text }) => text.trim()) ?? [];
  /** Every text that a message was pushed with. */
  const pushedTexts = (client: LiveClient, seq: number) =>
    client.received.flatMap((message) =>
      message.type === 'rows' && 'conversationId' in message
        ? message.rows.flatMap((one) =>
            'row' in one && one.kind === 'message' && one.row.seq === seq ? [one.row.text] : [],
          )
        : [],
    );
  const knowsAsRead = async (client: LiveClient, id: string) => {
    const read = await (await vigil.user()).finished(id);
    await client.until(() => client.of(id)?.run?.status === read.run!.status);
    await client.until(() => JSON.stringify(sorted(client.of(id)!)) === JSON.stringify(sorted(read)));
  };
  const sorted = (conversation: Omit<Conversation, 'more'>) =>
    rowsOf({ ...conversation, more: false })
      .map(({ kind, row }) => `${kind} ${JSON.stringify(row, Object.keys(row).sort())}`)
      .sort();

  /** Resolves once the condition holds. */
  const becomes = <State>({ subscribe, getSnapshot }: Feed<State>, holds: (state: State) => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!holds(getSnapshot())) return;
        leave();
        resolve();
      };
      const leave = subscribe(look);
      look();
    });

  test('another tab sees the prompt and the growing answer, without reading again (R79, R80)', async () => {
    speaking();
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const tabB = await tab();
    await tabB.follow(id);
    await ada.say(id, 'A prompt from tab A');
    await tabB.until(() => texts(tabB, id).includes('A prompt from tab A'));
    await vigil.model.held();
    await tabB.until(() => texts(tabB, id).at(-1) === (first + second).trim());
    expect(tabB.of(id)!.messages.at(-1)!.status).toBe('streaming');
    vigil.model.release();
    await tabB.until(() => tabB.of(id)!.run?.status === 'done');
    await tabB.until(() => texts(tabB, id).at(-1) === answer);
    await knowsAsRead(tabB, id);
    expect(tabB.reads).toBe(1);
  });

  test('the answer grows by whole sentences; who joins late sees what there is, then the rest (R78)', async () => {
    speaking();
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', 'Tell me');
    const early = await tab();
    await early.follow(id);
    await vigil.model.held();
    await early.until(() => texts(early, id).at(-1) === (first + second).trim());
    const late = await tab();
    await late.follow(id);
    expect(texts(late, id)).toEqual(['Tell me', (first + second).trim()]);
    vigil.model.release();
    for (const client of [early, late]) {
      await client.until(() => texts(client, id).at(-1) === answer);
      await knowsAsRead(client, id);
      // The ends of the sentences, and nothing in between.
      for (const text of pushedTexts(client, 2)) expect(['', first, first + second, answer]).toContain(text);
    }
  });

  test('a client in Node loses its connection, comes back by itself and ends with what a read says (R177)', async () => {
    speaking();
    const sockets: WebSocket[] = [];
    class Noted extends WebSocket {
      constructor(address: string) {
        super(address);
        sockets.push(this);
      }
    }
    const ada = await vigil.user();
    const client = createClient({
      url: vigil.url,
      WebSocket: Noted,
      token: () => tokenFor(vigil.url, vigil.idOf('ada')),
    });
    const { id } = await client.start({ agent: 'reminder', text: 'Tell me' });
    const chat = client.conversation(id);
    const last = () => chat.getSnapshot().conversation?.messages.at(-1);
    following = [chat, client.conversations].map((one) => one.subscribe(() => undefined));
    await vigil.model.held();
    await becomes(chat, () => last()?.text.trim() === (first + second).trim());

    sockets[0]!.terminate();
    vigil.model.release();
    await ada.finished(id);
    vigil.model.script([{ text: 'One more thing.' }]);
    await chat.send('Go on');
    await becomes(chat, () => last()?.text.trim() === 'One more thing.' && last()?.status === 'complete');
    const read = await ada.finished(id);
    await becomes(chat, () => {
      const { conversation } = chat.getSnapshot();
      return JSON.stringify(sorted(conversation!)) === JSON.stringify(sorted(read));
    });
    await becomes(client.conversations, (state) => state.conversations.find((one) => one.id === id)?.status === 'done');
    expect(sockets).toHaveLength(2);
  });

  test('the list of conversations shows their status as it changes', async () => {
    speaking();
    const ada = await vigil.user();
    const client = await tab();
    await client.followList();
    const { id } = await ada.start('reminder', 'Tell me');
    const statusOf = () => client.list().find((one) => one.id === id)?.status;
    await client.until(() => statusOf() === 'running');
    await vigil.model.held();
    vigil.model.release();
    await client.until(() => statusOf() === 'done');
    await ada.finished(id);
    const { conversations } = await ada.list();
    expect(client.list().find((one) => one.id === id)).toEqual(conversations.find((one) => one.id === id));
    const gone = client.next((message) => message.type === 'deleted');
    await ada.request('DELETE', `/conversations/${id}`);
    expect(await gone).toEqual({ type: 'deleted', conversationId: id });
  });

  test('what is pushed is what a GET shows: no token, no writer, no outbox, nothing else of the inside (R124, R36)', async () => {
    vigil.model.script([
      call('call_1', 'remind_later', { message: 'Stretch', at: null, delay_seconds: 3_600 }),
      call('call_2', 'ask_user', { question: 'Shall I?' }),
      { text: 'Well then.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester');
    const client = await tab();
    await client.follow(id);
    await client.followList();
    await ada.say(id, 'Go');
    const { callbacks } = await ada.waiting(id);
    await ada.answer(id, callbacks[0]!.id, { answer: 'Yes' });
    await knowsAsRead(client, id);
    const kinds = new Set(
      client.received.flatMap((one) => (one.type === 'rows' ? one.rows.map(({ kind }) => kind) : [])),
    );
    expect([...kinds].sort()).toEqual(['call', 'callback', 'conversation', 'message', 'timer']);
    for (const message of client.received) expect(ServerMessage.parse(message)).toEqual(message);
    const all = JSON.stringify(client.received);
    for (const inside of [
      'taskToken',
      'writer',
      'outbox',
      'modelCallId',
      'call_1',
      'decider',
      'openFor',
      'draft',
      '"owner"',
      '"pk"',
    ])
      expect(all).not.toContain(inside);
  });

  test('a large result is shortened as in a GET, a message too large for a frame is said to have changed', async () => {
    const long = 'A long sentence of the model, which says it again. '.repeat(1_000);
    vigil.model.script([call('c', 'large_result', { kilobytes: 100 }), { text: long }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester');
    const client = await tab();
    let longest = 0;
    client.socket.on('message', (data: Buffer) => {
      longest = Math.max(longest, data.length);
    });
    await client.follow(id);
    await ada.say(id, 'Go');
    await ada.finished(id);
    await client.until(() => client.received.some((one) => JSON.stringify(one).includes('"changed":true')));
    await client.follow(id);
    await knowsAsRead(client, id);
    expect(client.of(id)!.messages.at(-1)!.text.trim()).toBe(long.trim());
    expect(longest).toBeLessThanOrEqual(32_768);
  });

  longTest(
    'a kill -9 loses the connections; clients come back, and what is left of the old ones is removed',
    async () => {
      const ada = await vigil.user();
      const { id } = await ada.start('reminder', 'Hi');
      await ada.finished(id);
      const client = await tab();
      await client.follow(id);
      const ended = once(client.socket, 'close');
      await vigil.kill();
      await ended;
      await vigil.restart();
      const back = await tab();
      await back.follow(id);
      await (await vigil.user()).say(id, 'Are you back?');
      await knowsAsRead(back, id);
      const { client: tables, name } = vigil.table;
      const TableName = name.replace('ConversationTable', 'LiveTable');
      const subscribers = async () => {
        const { Items } = await tables.send(new ScanCommand({ TableName, ConsistentRead: true }));
        return Items!.filter(({ pk }) => pk === `CONVERSATION#${id}`).length;
      };
      for (let look = 0; look < 100 && (await subscribers()) > 1; look++)
        await new Promise((done) => setTimeout(done, 20));
      expect(await subscribers()).toBe(1);
    },
  );
});
