import { startVigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { stopAfterEach } from './support/stop-after-each';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// When the transcript nears the model's window, older steps are summarised; people still read all of it.

const stopped = stopAfterEach();
const isSummary = ({ messages }: ChatRequest) => String(messages[0]!.content).startsWith('You summarise');
const results = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool');
/** Of results of two kilobytes each, of which the model reads 0.8 at once: a tenth of its window. */
const steps = 26;

test('a conversation that outgrows the window is summarised in steps of its own: no request is too large, call and result stay together, all can be read, and a crash after a summary is stored does not pay for it again (R3, R18)', async () => {
  let count = 0;
  const vigil = stopped(
    await startVigil({
      script: (request) => {
        if (isSummary(request)) return { text: 'Summary: the code word is swordfish.' };
        count += 1;
        if (count > steps) return { text: 'That was long.' };
        return call(`c${count}`, 'large_result', { kilobytes: 2 });
      },
    }),
  );
  const ada = await vigil.user();
  const { id } = await ada.start('talkative', 'The code word is swordfish. Fetch a lot.');
  await ada.until(id, ({ messages }) => messages.some(({ covers }) => covers !== undefined));
  await vigil.fault({ function: 'CallModel', kind: 'crash', at: 'after', times: 3 });
  const done = await nudgeToEnd(vigil, id);

  expect(done.status).toBe('done');
  const summaries = done.messages.filter(({ covers }) => covers !== undefined);
  expect(summaries.length).toBeGreaterThan(2);
  for (const one of summaries) expect(one).toMatchObject({ role: 'system', author: 'vigil', status: 'complete' });
  expect(done.messages[0]!.text).toContain('swordfish');
  expect(done.calls).toHaveLength(steps);
  const asked = vigil.model.requests;
  expect(asked.filter(isSummary)).toHaveLength(summaries.length);
  expect(done.usage.modelCalls).toBe(vigil.model.calls);
  for (const request of asked.filter((one) => !isSummary(one))) {
    expect(JSON.stringify(request.messages).length).toBeLessThan(9_500);
    const calls = request.messages.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []));
    expect(results(request).map((message) => 'tool_call_id' in message && message.tool_call_id)).toEqual(
      calls.map(({ id: callId }) => callId),
    );
  }
  expect(String(asked.at(-1)!.messages[1]!.content)).toContain('the code word is swordfish');
  expect(asked.filter(isSummary)[1]!.messages[1]!.content).toContain('the code word is swordfish');
});
