import { startVigil } from './support/clouds/vigil';
import { type ChatRequest, type Reply, startModelServer } from './support/servers/model-server';
import { stopAfterEach } from './support/stop-after-each';
import { reminderStates, reminderStory, reminderWords, wish } from './support/stories/reminder-story';
import { call, wordsOf } from './support/stories/transcript';

// The same promises where the model is asked by OpenAI's Responses API and thinks before it speaks, and where agents have
// providers of their own. What each API sends and gets is in lambdas/models/adapters.test.ts.

const stopped = stopAfterEach();
const model = 'gpt-6.1-terra';
const thoughtsIn = ({ input = [] }: ChatRequest) =>
  input.flatMap((item) =>
    item.type === 'reasoning' ? [JSON.parse(Buffer.from(item.encrypted_content!, 'base64').toString()).thought] : [],
  );

test('by the Responses API, the reminder story is told, and each call goes back with what the model thought: across a kill -9 and a wait, a failure and a fork (R130, R131)', async () => {
  // What it thinks names the step: it is in nobody's words, and has to come back.
  const script = (request: ChatRequest): Reply => ({
    ...reminderStory(request),
    thought: `A secret thought, after ${request.messages.length} messages.`,
  });
  const variables = { VIGIL_MODEL_API: 'responses', VIGIL_MODEL: model };
  const vigil = stopped(await startVigil({ script, variables }));
  const { id } = await (await vigil.user()).start('reminder', wish);
  const { until } = await (await vigil.user()).asleep(id);
  await vigil.kill();
  await vigil.restart();
  const ada = await vigil.user();
  expect(await ada.read(id)).toMatchObject({ status: 'sleeping', until });
  await vigil.advance('P3W');
  const done = await ada.finished(id);
  expect(wordsOf(done)).toEqual(reminderWords);
  expect(await vigil.states(done.run!.id)).toEqual(reminderStates);
  const asked = vigil.model.requests.map((request) => [request.api, request.model]);
  expect(asked).toEqual(Array(4).fill(['responses', model]));
  const last = vigil.model.requests.at(-1)!;
  expect(last.input!.map(({ type }) => type).join(', ')).toBe(
    'message, reasoning, function_call, function_call_output, reasoning, message, function_call, function_call_output, ' +
      'reasoning, function_call, function_call_output',
  );
  const thoughts = [2, 4, 6].map((n) => `A secret thought, after ${n} messages.`);
  expect(thoughtsIn(last)).toEqual(thoughts);
  // It lies with the step in the table, and nowhere else.
  const shown = [JSON.stringify(done), vigil.logs(), JSON.stringify(await vigil.history(done.run!.id))];
  for (const trace of shown) expect(trace).not.toMatch(/encrypted_content|reasoning"|secret thought/);

  vigil.model.script([
    { ...call('a', 'current_time', {}), thought: 'Look first.' },
    { status: 400 },
    { text: 'Late.' },
  ]);
  await ada.say(id, 'And now?');
  await ada.until(id, ({ status }) => status === 'failed');
  await ada.request('POST', `/conversations/${id}/retry`);
  const { run } = await ada.until(id, ({ status, messages }) => status === 'done' && messages.at(-1)!.text === 'Late.');
  expect(thoughtsIn(vigil.model.requests.at(-1)!).slice(-1)).toEqual(['Look first.']);
  vigil.model.script([{ text: 'Early.' }]);
  const { body } = await ada.request('POST', `/conversations/${id}/fork`, { runId: run!.id, step: 2 });
  const fork = await ada.finished((body as { id: string }).id);
  expect(wordsOf(fork).at(-1)![1]).toBe('Early.');
  expect(thoughtsIn(vigil.model.requests.at(-1)!).slice(-1)).toEqual(['Look first.']);
});

test('each agent asks its own model, by its own API, key and settings; what a server sends beside the standard goes back to it, after a kill -9 as well, and to no other (R132, R134)', async () => {
  const other = stopped(await startModelServer());
  const near = stopped(await startModelServer());
  const variables = { OTHER_SERVER_BASE_URL: other.url, OTHER_API_KEY: 'k-other', NEAR_SERVER_BASE_URL: near.url };
  const vigil = stopped(await startVigil({ variables }));
  const signature = { google: { thought_signature: 'sig-1' } };
  const [time] = call('t', 'current_time', {}).toolCalls!;
  other.script([
    { toolCalls: [{ ...time!, extra: { extra_content: signature } }], thought: 'Let me look.' },
    { ...call('s', 'schedule', { at: '2031-01-01T08:00:00Z' }), thought: '' },
    { ...call('h', 'hand_off_to_nearby', { reason: 'Closer.' }), thought: 'Mine.' },
  ]);
  near.script([{ ...call('n', 'current_time', {}), thought: 'Near thoughts.' }, { text: 'Here I am.' }]);
  const { id } = await (await vigil.user()).start('elsewhere', 'What time is it?');
  await (await vigil.user()).asleep(id);
  await vigil.kill();
  await vigil.restart();
  await vigil.advance('P1600D');
  expect(wordsOf(await (await vigil.user()).finished(id)).at(-1)).toEqual(['nearby', 'Here I am.']);

  const [first] = other.requests;
  expect(first).toMatchObject({
    api: 'chat',
    model: 'deep-model',
    reasoning_effort: 'high',
    max_tokens: 4_096,
    temperature: 0.5,
    top_k: 40,
    address: '/v1/chat/completions?tier=test',
  });
  expect(first!.headers).toMatchObject({ authorization: 'Bearer k-other', 'x-team': 'vigil' });
  const said = other.requests.at(-1)!.messages.filter(({ role }) => role === 'assistant');
  expect(said).toMatchObject([
    { reasoning_content: 'Let me look.', tool_calls: [{ id: 't', extra_content: signature }] },
    { reasoning_content: '', tool_calls: [{ id: 's' }] },
  ]);
  expect(said[1]).not.toHaveProperty('tool_calls.0.extra_content');
  expect(near.requests[1]).toMatchObject({
    api: 'responses',
    model,
    store: false,
    max_output_tokens: 2_048,
    reasoning: { effort: 'low' },
    text: { verbosity: 'low' },
    instructions: 'You are nearby.',
  });
  expect(thoughtsIn(near.requests[1]!)).toEqual(['Near thoughts.']);
  expect(JSON.stringify(near.requests)).not.toMatch(/Mine|Let me look|reasoning_content|sig-1/);
  expect(near.requests[0]!.headers.authorization).not.toContain('k-other');
  expect(vigil.model.calls).toBe(0);
  expect(vigil.logs()).not.toContain('k-other');
});
