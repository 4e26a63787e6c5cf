import { once } from 'node:events';
import type { ServerMessage } from 'vigil-client';
import { changedAssembly, revoke } from './support/clouds/changed-assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { handshake, type LiveClient, liveClient, ticketOf } from './support/live-client';
import { longTest } from './support/long';

// Who may look on. The user is whom a ticket was issued to, and a ticket is issued to whoever shows a token.

async function answerToPing(client: LiveClient, kind: ServerMessage['type']): Promise<ServerMessage> {
  const answer = client.next(({ type }) => type === kind);
  client.send({ action: 'ping' });
  return answer;
}

describe('the live view is for its users', () => {
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil({ script: () => ({ text: 'Hello.' }) });
  });
  afterAll(() => vigil?.stop());

  test('a conversation of somebody else is not there, nor is one that does not exist (R124)', async () => {
    const ada = await vigil.user('ada');
    const { id } = await ada.start('reminder', 'A secret');
    await ada.finished(id);
    const eve = await liveClient(await vigil.user('eve'));
    for (const conversationId of [id, 'nowhere']) {
      const refused = eve.next(({ type }) => type === 'error');
      // What she says about herself counts for nothing.
      eve.send({ action: 'subscribe', conversationId, user: 'ada', owner: 'ada' });
      expect(await refused).toEqual({
        type: 'error',
        status: 404,
        title: 'Not found',
        conversationId,
        detail: `You have no conversation ${conversationId}.`,
      });
    }
    eve.send({ action: 'subscribe', list: true });
    await eve.next(({ type }) => type === 'subscribed');
    await ada.say(id, 'Another secret');
    await ada.finished(id);
    const own = await (await vigil.user('eve')).start('reminder', 'My own');
    await eve.until(() => eve.list().some((one) => one.id === own.id && one.status === 'done'));
    expect(JSON.stringify(eve.received)).not.toMatch(/secret/);
    expect(eve.list().map((one) => one.id)).toEqual([own.id]);
    await eve.close();
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

  test('what is said wrongly is answered in words; a ping keeps a connection, ten minutes of silence end it', async () => {
    const client = await liveClient(await vigil.user());
    for (const wrong of [
      { action: 'subscribe' },
      { action: 'shout' },
      { action: 'subscribe', conversationId: 'a b' },
    ]) {
      const refused = client.next(({ type }) => type === 'error');
      client.send(wrong);
      expect(await refused).toMatchObject({
        status: 400,
        title: 'Bad request',
        detail: expect.stringContaining('action'),
      });
    }
    await vigil.advance('PT9M');
    await answerToPing(client, 'pong');
    const ended = once(client.socket, 'close');
    await vigil.advance('PT10M');
    expect((await ended)[0]).toBe(1001);
  });

  test('a connection ends with the token of its ticket: a ping is refused, and a push closes it (R124)', async () => {
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const [asking, listening] = [await liveClient(ada), await liveClient(ada)];
    for (const client of [asking, listening]) await client.follow(id);
    // Access tokens last for 15 minutes, and a connection for ten without a message.
    await vigil.advance('PT8M');
    for (const client of [asking, listening]) await answerToPing(client, 'pong');
    await vigil.advance('PT8M');
    expect(await answerToPing(asking, 'error')).toMatchObject({
      status: 401,
      detail: expect.stringContaining('again'),
    });
    const from = listening.received.length;
    const closed = once(listening.socket, 'close');
    await ada.say(id, 'Anybody?');
    expect((await closed)[0]).toBe(1000);
    expect(listening.received.slice(from)).toEqual([]);
    await listening.reconnect();
    await listening.follow(id);
    await ada.finished(id);
    await listening.until(() => listening.of(id)?.run?.status === 'done');
    for (const client of [asking, listening]) await client.close();
  });

  test('unsubscribed, a client hears no more of a conversation', async () => {
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const client = await liveClient(ada);
    await client.follow(id);
    await client.followList();
    const left = client.next(({ type }) => type === 'unsubscribed');
    client.send({ action: 'unsubscribe', conversationId: id });
    expect(await left).toEqual({ type: 'unsubscribed', conversationId: id });
    const from = client.received.length;
    await ada.say(id, 'Anybody?');
    await client.until(() => client.list().some((one) => one.id === id && one.status === 'done'));
    // A notice of its answer comes with the list.
    const heard = client.received.slice(from).filter((one) => 'conversationId' in one && one.type !== 'notice');
    expect(heard).toEqual([]);
    await client.close();
  });
});

longTest('without the right to push, nothing is pushed, and the run goes on (R120, R83)', async () => {
  const deployment = changedAssembly((template) => revoke(template, 'LiveBroadcast', 'execute-api:ManageConnections'));
  const vigil = await startVigil({ script: () => ({ text: 'Hello.' }), deployment });
  try {
    const ada = await vigil.user();
    const { id } = await ada.start('reminder');
    const client = await liveClient(ada);
    await client.follow(id);
    await ada.say(id, 'Hi');
    expect((await ada.finished(id)).status).toBe('done');
    for (let look = 0; look < 500 && !vigil.logs().includes('ForbiddenException'); look++)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(vigil.logs()).toContain('ForbiddenException');
    expect(client.received.map(({ type }) => type)).toEqual(['subscribed']);
    await client.close();
  } finally {
    await vigil.stop();
  }
});
