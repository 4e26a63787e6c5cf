import { startVigil, type Vigil } from './support/clouds/vigil';
import type { Style } from './support/servers/model-server';
import { reminderStates, reminderStory, reminderWords, wish } from './support/stories/reminder-story';
import { call, wordsOf } from './support/stories/transcript';

// The same agent on two servers that differ in what they send: by configuration only.

describe.each<[string, Style]>([
  ['sends usage, parallel calls and whole deltas', { usage: true, parallel: true, deltas: 'whole' }],
  ['sends no usage, one call at a time, in fragments', { usage: false, parallel: false, deltas: 'fragments' }],
])('a server that %s (R13)', (_what, style) => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  test('plays the reminder story', async () => {
    vigil = await startVigil({ script: reminderStory, style, variables: { VIGIL_MODEL: 'other-model' } });
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', wish);
    await ada.asleep(id);
    await vigil.advance('P2D');
    const done = await ada.finished(id);
    expect(wordsOf(done)).toEqual(reminderWords);
    expect(await vigil.states(done.run!.id)).toEqual(reminderStates);
    expect(new Set(vigil.model.requests.map(({ model }) => model))).toEqual(new Set(['other-model']));
    // What a server does not count is estimated.
    expect(done.usage.inputTokens).toBeGreaterThan(100);
  });

  test('gets a result for every call before it is asked again (R5)', async () => {
    const toolCalls = ['a', 'b', 'c'].map((id) => ({ ...call(id, 'current_time', {}).toolCalls![0]! }));
    vigil = await startVigil({ script: [{ toolCalls }, { text: 'Three times.' }], style });
    const ada = await vigil.user();
    const { id } = await ada.start('reminder', 'Three times');
    const done = await ada.finished(id);
    expect(done.calls).toHaveLength(3);
    const results = vigil.model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
    expect(results.map((message) => 'tool_call_id' in message && message.tool_call_id)).toEqual(['a', 'b', 'c']);
  });
});
