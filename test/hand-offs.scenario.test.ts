import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenarioSources, synthesized } from './support/clouds/synthesized';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { nudgeToEnd } from './support/stories/patience';
import { call, wordsOf } from './support/stories/transcript';

// Several agents, one conversation: the model's decision to hand over switches instructions and tools, and holds.

const whoIs = ({ messages }: ChatRequest) => String(messages[0]!.content);
const to = (agent: string, id = 'h') => call(id, `hand_off_to_${agent}`, { reason: 'They want that.' });

describe('a hand-off (R69)', () => {
  let vigil: Vigil;
  beforeEach(async () => {
    vigil = await startVigil();
  });
  afterEach(() => vigil?.stop());

  test('switches instructions and tools in the same conversation; the active agent stays between runs', async () => {
    vigil.model.script([to('back'), { text: 'Here is the back.' }, { text: 'Still the back.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('front', 'Do some work');
    const done = await ada.finished(id);
    expect(done).toMatchObject({ agent: 'back', run: { agent: 'back', step: 2 } });
    expect(done.calls).toMatchObject([{ tool: 'hand_off_to_back', status: 'completed' }]);
    const [first, second] = vigil.model.requests;
    expect([whoIs(first!), whoIs(second!)]).toEqual(['You are the front.', 'You are the back.']);
    const tools = second!.tools!.map((tool) => (tool as { function: { name: string } }).function.name);
    expect(tools).toEqual(['current_time', 'pay', 'misbehave', 'schedule', 'hand_off_to_front']);
    expect(wordsOf(done).at(-1)).toEqual(['back', 'Here is the back.']);

    await ada.say(id, 'And more');
    const again = await ada.until(id, ({ messages, status }) => status === 'done' && messages.length === 5);
    expect(wordsOf(again).at(-1)).toEqual(['back', 'Still the back.']);
    expect(vigil.model.calls).toBe(3);
    expect(await vigil.states(done.run!.id)).toEqual(['CallModel', 'Route', 'CallModel', 'Route', 'Done']);
  });

  test('goes back and on to another one (R70)', async () => {
    vigil.model.script([to('back', 'a'), to('front', 'b'), to('side', 'c'), { text: 'The side.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('front', 'Go round');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['side', 'The side.']);
  });

  test('twice in one reply: the first counts, the second is answered with an error', async () => {
    const toolCalls = [...to('back', 'a').toolCalls!, ...to('side', 'b').toolCalls!];
    vigil.model.script([{ toolCalls }, { text: 'The back.' }]);
    const ada = await vigil.user();
    const { id } = await ada.start('front', 'Both');
    const done = await ada.finished(id);
    expect(done.agent).toBe('back');
    expect(done.calls).toMatchObject([
      { status: 'completed' },
      { status: 'failed', error: expect.stringContaining('the first one counts') },
    ]);
  });

  test('in a loop hits the step limit (R9)', async () => {
    vigil.model.script(
      (request: ChatRequest): Reply =>
        to(whoIs(request).includes('front') ? 'back' : 'front', `h${request.messages.length}`),
    );
    const ada = await vigil.user();
    const { id } = await ada.start('front', 'Loop');
    expect((await ada.finished(id)).run).toMatchObject({ status: 'limited', step: 8 });
  });

  test('survives a crash after it is stored: the first agent is not asked again', async () => {
    const script = (request: ChatRequest) => (whoIs(request).includes('front') ? to('back') : { text: 'The back.' });
    vigil.model.script(script);
    await vigil.fault({ function: 'CallModel', kind: 'crash', at: 'after' });
    const { id } = await (await vigil.user()).start('front', 'Work');
    expect(wordsOf(await nudgeToEnd(vigil, id)).at(-1)).toEqual(['back', 'The back.']);
    expect(vigil.model.requests.filter((request) => whoIs(request).includes('front'))).toHaveLength(1);
  });

  test('to an agent that a deployment removed: a clear error, and the next message goes to the entry agent', async () => {
    vigil.model.script([to('back'), call('s', 'schedule', { at: '2031-01-01T08:00:00Z' })]);
    const ada = await vigil.user();
    const { id } = await ada.start('front', 'Work');
    await ada.asleep(id);
    const folder = mkdtempSync(join(tmpdir(), 'vigil-fewer-'));
    try {
      await synthesized(folder, { ...scenarioSources, agents: 'test/agents/fewer' });
      await vigil.kill();
      await vigil.restart(folder);
      vigil.model.script([{ text: 'The front, again.' }]);
      const again = await vigil.user();
      await again.say(id, 'Hello?');
      const failed = await nudgeToEnd(vigil, id);
      expect(failed.run).toMatchObject({
        status: 'failed',
        reason: 'The agent "back" is no longer deployed. The next message goes to "front".',
      });
      await again.say(id, 'Anybody there?');
      const done = await again.until(id, ({ status }) => status === 'done');
      expect(wordsOf(done).at(-1)).toEqual(['front', 'The front, again.']);
    } finally {
      // Alive, it still writes compiled code there.
      await vigil.kill();
      rmSync(folder, { recursive: true });
    }
  }, 120_000);
});
