import { once } from 'node:events';
import { createClient, type Feed, type ServerMessage } from 'vigil-client';
import { rowsOf } from 'vigil-client/shared';
import { WebSocket } from 'ws';
import type { Conversation } from '../core/base/state/schemas';
import { ServerMessage as Message } from '../core/people/live/live';
import { tokenFor } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { handshake, type LiveClient, liveClient, ticketOf, watchersOf } from './support/live-client';
import { call } from './support/stories/transcript';

// The live view over its WebSocket: clients that keep to the protocol of docs/live-protocol.md. What a client knows is compared with
// what a GET says: they must be the same, whatever was lost on the way. And who may look on: the user is whom a ticket was issued to,
// and a ticket is issued to whoever shows a token.

const first = 'The first sentence. ';
const second = 'The second one. ';
const third = 'And the last.';
const answer = first + second + third;

let vigil: Vigil;
const leaves: (() => unknown)[] = [];
afterAll(() => vigil?.stop());
afterEach(async () => {
  for (const leave of leaves.splice(0)) await leave();
});

async function tab(name = 'ada'): Promise<LiveClient> {
  const client = await liveClient(await vigil.user(name));
  leaves.push(() => client.close());
  return client;
}
/** A client of an app, in Node. */
const appClient = (WebSocketClass: typeof WebSocket) =>
  createClient({ url: vigil.url, WebSocket: WebSocketClass, token: () => tokenFor(vigil.url, vigil.idOf('ada')) });
/** Resolves once the condition holds. */
const becomes = <State>({ subscribe, getSnapshot }: Feed<State>, holds: (state: State) => boolean) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (!holds(getSnapshot())) return;
      leave();
      resolve();
    };
    const leave = subscribe(look);
    leaves.push(leave);
    look();
  });
const sorted = (conversation: Omit<Conversation, 'more'>) =>
  rowsOf({ ...conversation, more: false })
    .map(({ kind, row }) => `${kind} ${JSON.stringify(row, Object.keys(row).sort())}`)
    .sort();

describe('the live view', () => {
  beforeAll(async () => {
    vigil = await startVigil();
  });
  beforeEach(() => vigil.model.script(() => ({ text: 'Hello.' })));

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
  async function answerToPing(client: LiveClient, kind: ServerMessage['type']): Promise<ServerMessage> {
    const heard = client.next(({ type }) => type === kind);
    client.send({ action: 'ping' });
    return heard;
  }

  test('another tab sees prompt, status and the answer by whole sentences; who joins late sees the same (R78, R79, R80)', async () => {
    speaking();
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const early = await tab();
    await early.follow(id);
    await early.followList();
    const statusOf = () => early.list().find((one) => one.id === id)?.status;
    await ada.say(id, 'Tell me');
    await early.until(() => statusOf() === 'running');
    await vigil.model.held();
    await early.until(() => texts(early, id).at(-1) === (first + second).trim());
    expect(early.of(id)!.messages.at(-1)!.status).toBe('streaming');
    const late = await tab();
    await late.follow(id);
    expect(texts(late, id)).toEqual(['Tell me', (first + second).trim()]);
    vigil.model.release();
    for (const client of [early, late]) {
      await knowsAsRead(client, id);
      expect(texts(client, id)).toEqual(['Tell me', answer]);
      // The ends of the sentences, and nothing in between.
      for (const text of pushedTexts(client, 2)) expect(['', first, first + second, answer]).toContain(text);
    }
    await early.until(() => statusOf() === 'done');
    expect([early.reads, late.reads]).toEqual([2, 1]);
    const { conversations } = await ada.list();
    expect(early.list().find((one) => one.id === id)).toEqual(conversations.find((one) => one.id === id));

    // Unsubscribed, a client hears no more of a conversation. A notice of its answer comes with the list.
    const left = early.next(({ type }) => type === 'unsubscribed');
    early.send({ action: 'unsubscribe', conversationId: id });
    expect(await left).toEqual({ type: 'unsubscribed', conversationId: id });
    const from = early.received.length;
    vigil.model.script([{ text: 'Yes.' }]);
    await ada.say(id, 'Anybody?');
    await late.until(() => texts(late, id).at(-1) === 'Yes.');
    await knowsAsRead(late, id);
    const gone = early.next(({ type }) => type === 'deleted');
    await ada.request('DELETE', `/conversations/${id}`);
    expect(await gone).toEqual({ type: 'deleted', conversationId: id });
    const heard = early.received.slice(from);
    expect(heard.filter((one) => 'conversationId' in one && !['notice', 'deleted'].includes(one.type))).toEqual([]);
  });

  test('what is pushed is what a GET shows, cut like it, without the inside; what has no frame is said to have changed (R124, R36)', async () => {
    const long = 'A long sentence of the model, which says it again. '.repeat(1_000);
    vigil.model.script([
      call('call_1', 'remind_later', { message: 'Stretch', at: null, delay_seconds: 3_600 }),
      call('call_2', 'ask_user', { question: 'Shall I?' }),
      call('call_3', 'large_result', { kilobytes: 100 }),
      { text: long },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester');
    const client = await tab();
    let longest = 0;
    client.socket.on('message', (data: Buffer) => {
      longest = Math.max(longest, data.length);
    });
    await client.follow(id);
    await client.followList();
    await ada.say(id, 'Go');
    const { callbacks } = await ada.waiting(id);
    await ada.answer(id, callbacks[0]!.id, { answer: 'Yes' });
    await client.until(() => client.received.some((one) => JSON.stringify(one).includes('"changed":true')));
    await ada.finished(id);
    await client.follow(id);
    await knowsAsRead(client, id);
    expect(client.of(id)!.messages.at(-1)!.text.trim()).toBe(long.trim());
    expect(longest).toBeLessThanOrEqual(32_768);
    const kinds = new Set(
      client.received.flatMap((one) => (one.type === 'rows' ? one.rows.map(({ kind }) => kind) : [])),
    );
    // A long reply may come in pieces.
    kinds.delete('piece');
    expect([...kinds].sort()).toEqual(['call', 'callback', 'conversation', 'message', 'timer']);
    for (const message of client.received) expect(Message.parse(message)).toEqual(message);
    const all = JSON.stringify(client.received);
    const inside = ['taskToken', 'writer', 'outbox', 'modelCallId', 'call_1', 'decider', 'openFor', 'draft'];
    for (const word of [...inside, '"owner"', '"pk"']) expect(all).not.toContain(word);
  });

  test('a conversation of somebody else is not there, nor is one that does not exist; what is said wrongly is told (R124)', async () => {
    const ada = await vigil.user('ada');
    const { id } = await ada.start('reminder', 'A secret');
    await ada.finished(id);
    const eve = await tab('eve');
    for (const conversationId of [id, 'nowhere']) {
      const refused = eve.next(({ type }) => type === 'error');
      // What she says about herself counts for nothing.
      eve.send({ action: 'subscribe', conversationId, user: 'ada', owner: 'ada' });
      const detail = `You have no conversation ${conversationId}.`;
      expect(await refused).toEqual({ type: 'error', status: 404, title: 'Not found', conversationId, detail });
    }
    const wrong = eve.next(({ type }) => type === 'error');
    eve.send({ action: 'shout' });
    const detail = expect.stringContaining('action');
    expect(await wrong).toMatchObject({ status: 400, title: 'Bad request', detail });
    await eve.followList();
    await ada.say(id, 'Another secret');
    await ada.finished(id);
    const own = await (await vigil.user('eve')).start('reminder', 'My own');
    await eve.until(() => eve.list().some((one) => one.id === own.id && one.status === 'done'));
    expect(JSON.stringify(eve.received)).not.toMatch(/secret/);
    expect(eve.list().map((one) => one.id)).toEqual([own.id]);
  });

  test('a ticket that is forged, used, expired or not there opens nothing (R124)', async () => {
    const ada = await vigil.user();
    expect(await ada.request('POST', '/live/tickets')).toMatchObject({
      status: 201,
      body: { url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/live$/), expiresInSeconds: 60 },
    });
    expect((await fetch(`${vigil.url}/live/tickets`, { method: 'POST' })).status).toBe(401);
    const { url, ticket } = await ticketOf(ada);
    expect(await handshake(`${url}?ticket=${'x'.repeat(43)}`)).toBe(401);
    expect(await handshake(url)).toBe(401);
    expect(await handshake(`${url.replace('/live', '/elsewhere')}?ticket=${ticket}`)).toBe(403);
    const twice = await Promise.all([1, 2].map(() => handshake(`${url}?ticket=${ticket}`)));
    expect(twice.filter((outcome) => outcome === 401)).toHaveLength(1);
    for (const socket of twice) if (typeof socket !== 'number') socket.terminate();
    expect(await handshake(`${url}?ticket=${ticket}`)).toBe(401);
    const late = await ticketOf(ada);
    await vigil.advance('PT61S');
    expect(await handshake(`${late.url}?ticket=${late.ticket}`)).toBe(401);
    expect(vigil.logs()).not.toContain(ticket);
  });

  test('a connection ends with the token of its ticket, whatever is asked or pushed, and with ten minutes of silence (R124)', async () => {
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const [asking, listening, silent] = [await tab(), await tab(), await tab()];
    for (const client of [asking, listening]) await client.follow(id);
    const ended = once(silent.socket, 'close');
    // Access tokens last for 15 minutes, and a connection for ten without a message.
    await vigil.advance('PT8M');
    for (const client of [asking, listening]) await answerToPing(client, 'pong');
    await vigil.advance('PT8M');
    expect((await ended)[0]).toBe(1001);
    const detail = expect.stringContaining('again');
    expect(await answerToPing(asking, 'error')).toMatchObject({ status: 401, detail });
    const from = listening.received.length;
    const closed = once(listening.socket, 'close');
    await ada.say(id, 'Anybody?');
    expect((await closed)[0]).toBe(1000);
    expect(listening.received.slice(from)).toEqual([]);
    await listening.reconnect();
    await listening.follow(id);
    await ada.finished(id);
    await listening.until(() => listening.of(id)?.run?.status === 'done');
  });
});

describe('the words of a reply (R207)', () => {
  const begun = 'The first sentence. The second one is not';
  const again = 'Another beginning. And an';
  const replies = [`${begun} complete yet.`, `${again} end.`];
  beforeAll(async () => {
    await vigil.stop();
    vigil = await startVigil({ style: { deltas: 'fragments' } });
  });

  /** A client in Node whose user sees the conversation, with each text that it has shown of the latest reply. */
  function watching(id: string) {
    const feed = appClient(WebSocket).conversation(id);
    const last = () => feed.getSnapshot().conversation?.messages.at(-1);
    const shown: { attempt?: number; text: string }[] = [];
    const note = () => {
      const { attempt, text = '' } = last() ?? {};
      if (text !== shown.at(-1)?.text) shown.push({ attempt, text });
    };
    leaves.push(feed.subscribe(note, () => true));
    return { last, shown, shows: (text: string) => becomes(feed, () => last()?.text.trim() === text), feed };
  }

  test('reach those who watch before their sentence is stored, begin anew with the next attempt, and end as a read (R29)', async () => {
    vigil.model.script([
      { text: replies[0], holdAfter: begun.length },
      { text: replies[1], holdAfter: again.length },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const tabs = [watching(id), watching(id)];
    // One that ignores deltas, as clients from before there were any.
    const probe = await tab();
    await probe.follow(id);
    const seen = probe.next(({ type }) => type === 'watched');
    probe.send({ action: 'watch', conversationId: id, visible: true, turn: 1 });
    await seen;
    while ((await watchersOf(vigil, id)) < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    await ada.say(id, 'Tell me');
    await Promise.all(tabs.map(({ shows }) => shows(begun)));
    expect((await ada.read(id)).messages.at(-1)!.text.trim()).toBe('The first sentence.');
    expect(probe.of(id)!.messages.at(-1)!.text).not.toContain('second');

    await vigil.fault({ function: 'CallModel', kind: 'crash', at: 'now' });
    await vigil.advanceUntil(() => vigil.model.calls === 2, 'PT1S');
    await Promise.all(tabs.map(({ shows }) => shows(again)));
    vigil.model.release();
    const read = await ada.finished(id);
    for (const { last, feed, shown } of tabs) {
      await becomes(feed, () => last()?.status === 'complete');
      expect(last()).toEqual(read.messages.at(-1));
      // Every text that was shown was a beginning of the text of its attempt, and attempts were shown in order.
      const attempts = shown.filter(({ text }) => text !== '' && text !== 'Tell me');
      for (const { attempt, text } of attempts) expect(replies[attempt! - 1]!.slice(0, text.length)).toBe(text);
      const order = attempts.map(({ attempt }) => attempt!);
      expect(order).toEqual(order.toSorted((one, other) => one - other));
    }
    await probe.until(() => probe.of(id)!.messages.at(-1)!.text === replies[1]);
    const deltas = probe.received.flatMap((message) => (message.type === 'delta' ? [message] : []));
    expect(deltas.length).toBeGreaterThan(0);
    for (const { conversationId, seq, attempt, from, text } of deltas)
      expect([conversationId, seq, replies[attempt - 1]!.slice(from, from + text.length)]).toEqual([id, 2, text]);
    expect(vigil.logs()).not.toContain('second one');
  });
});
