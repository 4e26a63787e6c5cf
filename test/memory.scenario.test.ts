import { startVigil, type Vigil } from './support/clouds/vigil';
import { longTest } from './support/long';
import type { ChatRequest } from './support/servers/model-server';
import { call } from './support/stories/transcript';

// What a user told one conversation helps in another; it is theirs alone, and they can look at it and have it forgotten.

const notes = ({ messages }: ChatRequest) =>
  messages.flatMap(({ role, content }) =>
    role === 'user' && String(content).includes('other conversations') ? [String(content)] : [],
  );

describe('memory (R104)', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  async function givenMemory(user = 'ada', fact = 'The user is vegetarian and loves mushrooms.') {
    vigil.model.script([call('m', 'remember', { fact }), { text: 'Noted.' }]);
    const person = await vigil.user(user);
    const { id } = await person.start('mindful', 'I am vegetarian and love mushrooms');
    return { person, id, done: await person.finished(id) };
  }
  const memoriesOf = async (user = 'ada') =>
    ((await (await vigil.user(user)).request('GET', '/memories')).body as { memories: { id: string; text: string }[] })
      .memories;

  test('of one conversation joins the prompt of another one, where it has to do with what is said', async () => {
    const { person } = await givenMemory();
    vigil.model.script([{ text: 'A risotto.' }, { text: 'It is.' }, { text: 'Sunny.' }]);
    const { id } = await person.start('mindful', 'What should I cook with mushrooms for a vegetarian evening?');
    await person.finished(id);
    const request = vigil.model.requests.at(-1)!;
    expect(notes(request)).toEqual([expect.stringContaining('The user is vegetarian and loves mushrooms.')]);
    await person.say(id, 'Is that quick?');
    await person.until(id, ({ messages, status }) => status === 'done' && messages.length === 4);
    expect(notes(vigil.model.requests.at(-1)!)).toHaveLength(1);

    const other = await person.start('mindful', 'Tell me about football in Norway');
    await person.finished(other.id);
    expect(notes(vigil.model.requests.at(-1)!)).toEqual([]);
  });

  test('is found by meaning with `recall`, by its owner only', async () => {
    await givenMemory();
    for (const [user, found] of [
      ['ada', 1],
      ['eve', 0],
    ] as const) {
      vigil.model.script([call('r', 'recall', { query: 'vegetarian food', limit: null }), { text: 'I see.' }]);
      const person = await vigil.user(user);
      const { id } = await person.start('mindful', 'What do you know?');
      const done = await person.finished(id);
      expect((done.calls[0]!.result as { memories: object[] }).memories).toHaveLength(found);
      expect(notes(vigil.model.requests.at(-1)!)).toEqual([]);
    }
  });

  test('can be listed and forgotten by its owner, and by nobody else (R124)', async () => {
    const { person, id } = await givenMemory();
    const [memory] = await memoriesOf();
    expect(memory).toMatchObject({ text: 'The user is vegetarian and loves mushrooms.', conversationId: id });
    expect(JSON.stringify(memory)).not.toContain('vector');
    const eve = await vigil.user('eve');
    expect(await memoriesOf('eve')).toEqual([]);
    expect((await eve.request('DELETE', `/memories/${memory!.id}`)).status).toBe(404);
    expect((await person.request('DELETE', `/memories/${memory!.id}`)).status).toBe(204);
    expect((await person.request('DELETE', `/memories/${memory!.id}`)).status).toBe(404);
    expect(await memoriesOf()).toEqual([]);
  });

  longTest('is off with a server without embeddings: the model is told, and nothing fails', async () => {
    await vigil.stop();
    vigil = await startVigil({ style: { embeddings: false } });
    vigil.model.begin({ style: { embeddings: false } });
    const { done } = await givenMemory();
    expect(done).toMatchObject({ status: 'done', calls: [{ tool: 'remember', status: 'failed', attempts: 1 }] });
    expect(done.calls[0]!.error).toMatch(/^Memory is off/);
    expect(await memoriesOf()).toEqual([]);
  });
});
