import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { reminderStates, reminderStory, reminderWords, wish } from './support/stories/reminder-story';
import { wordsOf } from './support/stories/transcript';

// The process is lost at the worst moments; the story is told to its end, and nothing is done twice.

describe('when processes die', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil({ script: reminderStory });
  });
  afterEach(() => vigil?.stop());

  /** How many model calls there were for each length of transcript: each step's call has one of its own. */
  const callsPerStep = () => {
    const lengths = vigil.model.requests.map(({ messages }: ChatRequest) => messages.length);
    return [...new Set(lengths)].map((length) => lengths.filter((other) => other === length).length);
  };

  test('kill -9 of the whole local cloud while the agent sleeps: it wakes on time, and says so once (R17, R19, R45, R119)', async () => {
    const { id } = await (await vigil.user()).start('reminder', wish);
    const { until } = await (await vigil.user()).asleep(id);

    await vigil.kill();
    await vigil.restart();
    expect(await (await vigil.user()).read(id)).toMatchObject({ status: 'sleeping', until });
    await vigil.advance('P2D');

    const done = await (await vigil.user()).finished(id);
    expect(wordsOf(done)).toEqual(reminderWords);
    expect(callsPerStep()).toEqual([1, 1, 1, 1]);
    expect(await vigil.states(done.run!.id)).toEqual(reminderStates);
  });

  test('kill -9 between the reply of the model and its tool: the stored reply is used, the model is not asked again (R4, R18, R20)', async () => {
    // Everything dies as the tool is to begin; the reply that asked for it is stored by then.
    await vigil.fault({ function: 'Reminder', kind: 'kill', at: 'before' });
    const { id } = await (await vigil.user()).start('reminder', wish);
    await (await vigil.user()).asleep(id);
    await vigil.advance('P2D').catch(() => undefined);
    await vigil.killed();
    const before = vigil.model.calls;
    expect(before).toBe(3);
    await vigil.restart();

    const done = await (await vigil.user()).finished(id);
    expect(wordsOf(done)).toEqual(reminderWords);
    expect(callsPerStep()).toEqual([1, 1, 1, 1]);
  });
});

describe('when the process of CallModel dies in mid-sentence', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  test('the half-written message is replaced, and one message remains (R29, R78)', async () => {
    const text = 'Kyoto is lovely in May. Book early. Bring good shoes.';
    vigil = await startVigil({ script: [{ text, holdAfter: 34 }, { text }] });
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', 'Tell me about Kyoto');
    await vigil.model.held();
    const half = await ada.until(id, ({ messages }) => messages.some((message) => message.text.startsWith('Kyoto')));
    expect(half.messages.at(-1)).toMatchObject({ status: 'streaming', text: 'Kyoto is lovely in May. ' });

    await vigil.kill();
    await vigil.restart();

    const done = await (await vigil.user()).finished(id);
    expect(done.messages.map((message) => [message.role, message.status, message.text])).toEqual([
      ['user', 'complete', 'Tell me about Kyoto'],
      ['assistant', 'complete', text],
    ]);
    expect(vigil.model.calls).toBe(2);
    expect(done.usage.modelCalls).toBe(1);
  });
});
