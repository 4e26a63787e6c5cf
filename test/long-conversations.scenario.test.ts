import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// When the transcript nears the model's window, older steps are summarised; people still read all of it.

const isSummary = ({ messages }: ChatRequest) => String(messages[0]!.content).startsWith('You summarise');
const sizeOf = ({ messages }: ChatRequest) => JSON.stringify(messages).length;
const results = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool');

/** Thirty results of a kilobyte each, where eight kilobytes are the window. */
const kilobyte = (request: ChatRequest) => call(`c${request.messages.length}`, 'large_result', { kilobytes: 1 });

describe('a conversation that outgrows the window (R3)', () => {
  let vigil: Vigil;
  afterEach(() => vigil?.stop());

  async function givenLongTalk() {
    let steps = 0;
    vigil = await startVigil({
      script: (request) => {
        if (isSummary(request)) return { text: 'Summary: the code word is swordfish.' };
        steps += 1;
        return steps > 30 ? { text: 'That was long.' } : kilobyte(request);
      },
    });
    const { id } = await (await vigil.user()).start('talkative', 'The code word is swordfish. Fetch thirty of them.');
    return id;
  }

  test('is summarised in steps of its own: no request is too large, call and result stay together, all can be read', async () => {
    const id = await givenLongTalk();
    const done = await (await vigil.user()).until(id, ({ status }) => status === 'done');
    const summaries = done.messages.filter(({ covers }) => covers !== undefined);
    expect(summaries.length).toBeGreaterThan(2);
    expect(
      summaries.every(({ role, author, status }) => role === 'system' && author === 'vigil' && status === 'complete'),
    ).toBe(true);
    expect(done.messages[0]!.text).toContain('swordfish');
    expect(done.calls).toHaveLength(30);
    expect(done.usage.modelCalls).toBe(vigil.model.calls);
    for (const request of vigil.model.requests.filter((one) => !isSummary(one))) {
      expect(sizeOf(request)).toBeLessThan(9_500);
      const asked = request.messages.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []));
      expect(results(request).map((message) => 'tool_call_id' in message && message.tool_call_id)).toEqual(
        asked.map(({ id: callId }) => callId),
      );
    }
    const last = vigil.model.requests.at(-1)!;
    expect(String(last.messages[1]!.content)).toContain('the code word is swordfish');
    expect(vigil.model.requests.filter(isSummary)[1]!.messages[1]!.content).toContain('the code word is swordfish');
  });

  test('half a summary is none: a shorter one is asked for, and after three tries the run ends (R136)', async () => {
    let cuts = 0;
    const half = { text: 'Summary: the code', finishReason: 'length' as const };
    vigil = await startVigil({
      script: (request) => {
        if (!isSummary(request)) return vigil.model.calls > 25 ? { text: 'That was long.' } : kilobyte(request);
        cuts += 1;
        return cuts === 1 || cuts > 2 ? half : { text: 'Summary: the code word is swordfish.' };
      },
    });
    const ada = await vigil.user();
    const { id } = await ada.start('talkative', 'The code word is swordfish. Fetch thirty of them.');
    const limited = await ada.until(id, ({ status }) => status !== 'running');
    expect(limited).toMatchObject({ status: 'limited', run: { reason: expect.stringMatching(/cut off/) } });
    const asked = vigil.model.requests.filter(isSummary).map(({ messages }) => String(messages[0]!.content));
    expect(asked.map((words) => words.includes('much shorter'))).toEqual([false, true, false, true, true]);
    const notes = limited.messages.filter(({ author }) => author === 'vigil');
    expect(notes.map(({ text, covers, cutOff }) => [text.slice(0, 10), covers === undefined, cutOff])).toEqual([
      ['A summary ', true, 'length'],
      ['Summary: t', false, undefined],
      ...Array(3).fill(['A summary ', true, 'length']),
    ]);
  });

  test('a crash after a summary is stored does not pay for it again (R18)', async () => {
    const id = await givenLongTalk();
    const ada = await vigil.user();
    await ada.until(id, ({ messages }) => messages.filter(({ text }) => text).length >= 1 && messages.length > 5);
    await vigil.fault({ function: 'CallModel', kind: 'crash', at: 'after', times: 3 });
    const done = await nudgeToEnd(vigil, id);
    expect(done.status).toBe('done');
    expect(done.usage.modelCalls).toBe(vigil.model.calls);
    expect(vigil.model.requests.filter(isSummary)).toHaveLength(
      done.messages.filter(({ covers }) => covers !== undefined).length,
    );
  });
});
