import { userId } from '../local/http-api/identity';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { type ModelServer, startModelServer } from './support/servers/model-server';
import { call } from './support/stories/transcript';

// What was said is found by its meaning: in the finder by those who may read it, and by an agent that asks for it; by nobody else, and by nobody once it is gone.

interface Hit {
  by: string;
  conversation: { id: string; title: string };
  seq: number;
  excerpt: { text: string }[];
}

const harbour = 'We stayed in a harbour town where boats are repaired';
const question = 'place where ships get fixed';

describe('meaning (R230)', () => {
  let vigil: Vigil;
  let embedder: ModelServer;
  beforeAll(async () => {
    embedder = await startModelServer();
    vigil = await startVigil({ variables: { VIGIL_EMBED_MESSAGES: 'on', EMBEDDING_BASE_URL: embedder.url } });
  });
  afterAll(async () => {
    await vigil?.stop();
    await embedder?.stop();
  });
  const idOf = (who: string) => userId(vigil.idOf(who));

  async function told(text = harbour): Promise<string> {
    vigil.model.script([{ text: 'How nice.' }]);
    const person = await vigil.user();
    const { id } = await person.start('mindful', text);
    await person.finished(id);
    return id;
  }
  const find = async (words: string, user = 'ada'): Promise<Hit[]> => {
    const person = await vigil.user(user);
    const { status, body } = await person.request('GET', `/search?q=${encodeURIComponent(words)}`);
    expect(status).toBe(200);
    return (body as { found: Hit[] }).found;
  };
  const places = (found: Hit[]) => found.map(({ by, conversation: { id }, seq }) => `${by} ${id} ${seq}`);
  async function until<Value>(read: () => Promise<Value>, holds: (value: Value) => boolean): Promise<Value> {
    for (let look = 0; ; look++) {
      const value = await read();
      if (holds(value)) return value;
      if (look === 600) throw new Error(`It has not come to hold: ${JSON.stringify(value)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const foundBy = (words: string, expected: string[]) =>
    until(
      () => find(words),
      (found) => JSON.stringify(places(found)) === JSON.stringify(expected),
    );

  test('the finder finds it by its words first, and next to them by its meaning, for those who may read it; an agent recalls it for its owner', async () => {
    const id = await told();
    await foundBy(question, [`meaning ${id} 1`]);
    for (const [user, expected] of [
      ['ada', [{ conversationId: id, title: harbour, role: 'user', text: harbour, sources: [] }]],
      ['eve', []],
    ] as const) {
      vigil.model.script([call('r', 'recall', { query: question, limit: null }), { text: 'I see.' }]);
      const person = await vigil.user(user);
      const { id: asking } = await person.start('mindful', 'Do you remember?');
      const done = await person.finished(asking);
      const { said, memories } = done.calls[0]!.result as { said: object[]; memories: object[] };
      expect(said).toMatchObject(expected);
      expect(said).toHaveLength(expected.length);
      expect(memories).toEqual([]);
      await person.request('DELETE', `/conversations/${asking}`);
    }
    const [hit] = await find(question);
    expect(hit).toMatchObject({ conversation: { title: harbour }, excerpt: [{ text: harbour }] });
    // Once, if it has the words as well.
    expect(places(await find('boats are repaired'))).toEqual([`words ${id} 1`]);
    const words = await told(`A ${question}, exactly`);
    await foundBy(question, [`words ${words} 1`, `meaning ${id} 1`]);
    expect(await find(question, 'eve')).toEqual([]);
    expect(await find('peanuts')).toEqual([]);

    const ada = await vigil.user();
    const member = `user:${idOf('eve')}`;
    const members = `/conversations/${id}/members`;
    expect((await ada.request('PUT', members, { member, role: 'watcher' })).status).toBe(200);
    expect(await find(question, 'eve')).toEqual([]);
    await (await vigil.user('eve')).request('POST', `/conversations/${id}/invitation`);
    expect(places(await find(question, 'eve'))).toEqual([`meaning ${id} 1`]);
    expect(places(await find('boats are repaired', 'eve'))).toEqual([`words ${id} 1`]);
    await ada.request('DELETE', `${members}?member=${encodeURIComponent(member)}`);
    for (const sought of [question, 'boats are repaired']) expect(await find(sought, 'eve')).toEqual([]);

    expect((await ada.request('DELETE', `/conversations/${words}`)).status).toBe(204);
    expect(places(await find(question))).toEqual([`meaning ${id} 1`]);
    const forked = await ada.request('POST', `/conversations/${id}/fork`, { step: 1, id: 'again', text: harbour });
    const { id: again } = forked.body as { id: string };
    await ada.finished(again);
    await until(
      () => find(question),
      (found) => [id, again].every((one) => places(found).some((place) => place.startsWith(`meaning ${one} `))),
    );
    expect((await ada.request('DELETE', `/conversations/${id}`)).status).toBe(204);
    expect((await find(question)).map(({ conversation }) => conversation.id)).toEqual([again]);
  });

  test('a server that is down leaves a backlog, which is caught up when it is back; of a former owner, nothing stays', async () => {
    const reconcile = async () => {
      await vigil.advance('PT1H', { jump: true });
      return ((await vigil.invoke('ReconcileFunctionName', {})) as { actions: object[] }).actions;
    };
    const sought = 'tutor purchased car';
    await embedder.stop();
    const id = await told('My teacher bought an automobile');
    await until(
      async () => vigil.logs(),
      (logs) => logs.includes('not embedded'),
    );
    embedder = await startModelServer({ port: Number(new URL(embedder.url).port) });
    expect(places(await find(sought))).not.toContain(`meaning ${id} 1`);
    expect(await reconcile()).toContainEqual(expect.objectContaining({ does: 'embed', conversationId: id }));
    await until(
      () => find(sought),
      (found) => places(found).includes(`meaning ${id} 1`),
    );

    const [ada, eve] = [await vigil.user(), await vigil.user('eve')];
    const members = `/conversations/${id}/members`;
    await ada.request('PUT', members, { member: `user:${idOf('eve')}`, role: 'member' });
    await eve.request('POST', `/conversations/${id}/invitation`);
    await ada.request('PUT', `/conversations/${id}/offer`, { user: idOf('eve') });
    expect((await eve.request('POST', `/conversations/${id}/ownership`)).status).toBe(200);
    await eve.request('DELETE', `${members}?member=${encodeURIComponent(`user:${idOf('ada')}`)}`);
    await until(
      () => find(sought, 'eve'),
      (found) => places(found).includes(`meaning ${id} 1`),
    );
    expect(places(await find(sought)).join()).not.toContain(id);
    expect(await reconcile()).toContainEqual(
      expect.objectContaining({ conversationId: id, because: 'it is no longer its owner’s' }),
    );
  });
});
