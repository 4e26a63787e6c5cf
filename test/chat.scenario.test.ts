import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// A router and its specialists in one conversation, and what agents keep to themselves or correct.

const agentOf = ({ messages }: ChatRequest) => {
  const instructions = String(messages[0]!.content);
  if (instructions.includes('host of a small team')) return 'chat';
  return instructions.startsWith('You are the scribe') ? 'scribe' : 'another';
};
const to = (agent: string): Reply => call(`h-${agent}`, `hand_off_to_${agent}`, { reason: 'That is theirs.' });
const saidLast = ({ messages }: ChatRequest) => String(messages.findLast(({ role }) => role === 'user')!.content);
const toolsOf = ({ tools = [] }: ChatRequest) =>
  tools.map((tool) => (tool as { function: { name: string } }).function.name);

let vigil: Vigil;
beforeEach(async () => {
  vigil = await startVigil();
});
afterEach(() => vigil?.stop());

describe('the chat team', () => {
  test('sends each request to its specialist; each message names its author; off-topic goes back (R70, R71)', async () => {
    vigil.model.script((request) => {
      const agent = agentOf(request);
      const last = request.messages.at(-1)!;
      if (agent === 'chat') return saidLast(request).includes('percent') ? to('calculator') : { text: 'Hello to you.' };
      if (last.role === 'tool' && String(last.content).includes('"value"')) return { text: 'It is 1102.5.' };
      if (saidLast(request).includes('percent')) return call('c', 'run_code', { code: '1000 * 1.05 ** 2' });
      return to('chat');
    });
    const ada = await vigil.user();
    const { id } = await ada.start('chat', 'What are 5 percent on 1000 in two years?');
    const first = await ada.finished(id);
    expect(wordsOf(first).at(-1)).toEqual(['calculator', 'It is 1102.5.']);
    expect(first.calls).toMatchObject([
      { tool: 'hand_off_to_calculator' },
      { tool: 'run_code', status: 'completed', result: { value: 1102.5, printed: [] } },
    ]);
    expect(toolsOf(vigil.model.requests.at(-1)!)).toEqual(['run_code', 'hand_off_to_chat']);
    await ada.say(id, 'Hi there!');
    const second = await ada.until(
      id,
      ({ status, messages }) => status === 'done' && messages.length > first.messages.length + 1,
    );
    expect(wordsOf(second).at(-1)).toEqual(['chat', 'Hello to you.']);
    expect(second.agent).toBe('chat');
  });
});

describe('agents of one conversation', () => {
  test('notes are each agent’s own (R72)', async () => {
    vigil.model.script((request) => {
      const results = request.messages.filter(({ role }) => role === 'tool').length;
      const agent = agentOf(request);
      if (agent === 'scribe') return results === 0 ? call('n', 'note_down', { note: 'scribe was here' }) : to('editor');
      const steps = [call('m', 'note_down', { note: 'editor was here' }), call('r', 'read_notes', {})];
      return steps[results - 2] ?? { text: 'Noted.' };
    });
    const ada = await vigil.user();
    const { id } = await ada.start('scribe', 'Look into it');
    const done = await ada.finished(id);
    expect(done.calls.at(-1)!.result).toMatchObject({ notes: [{ note: 'editor was here' }] });
    expect(JSON.stringify(done.messages)).not.toContain('was here');
  });

  test('with nothing of its own to amend, an agent is told so (R73)', async () => {
    vigil.model.script((request) => {
      const last = request.messages.at(-1)!;
      if (agentOf(request) === 'scribe') return to('editor');
      return last.role === 'tool' && String(last.content).startsWith('Error')
        ? { text: 'Never mind.' }
        : call('a', 'amend_message', { text: 'I was never wrong.' });
    });
    const ada = await vigil.user();
    const { id } = await ada.start('scribe', 'Correct them');
    const done = await ada.finished(id);
    expect(done.calls.at(-1)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no earlier message here'),
    });
    expect(done.messages[0]!.text).toBe('Correct them');
  });
});
