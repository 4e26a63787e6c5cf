import { startVigil } from './support/clouds/vigil';
import { type Reply, startModelServer } from './support/servers/model-server';
import { stopAfterEach } from './support/stop-after-each';
import { booksOf, customerOf } from './support/stories/bank';
import { call, wordsOf } from './support/stories/transcript';

// The provider searches the web for its model. What it found goes back to it, and to no other; people see it, and decide what follows.

const stopped = stopAfterEach();
const url = 'https://kyoto.example/sights';
const sight = { title: 'Sights of Kyoto', url };
const search = (thought: string, more: Reply): Reply => ({
  thought,
  ...more,
  hosted: [
    {
      type: 'web_search_call',
      action: { type: 'search', query: 'Kyoto', queries: ['Kyoto'], sources: [{ type: 'url', url }] },
    },
  ],
  ...(more.text && { annotations: [{ type: 'url_citation', ...sight, start_index: 0, end_index: 3 }] }),
});
const payment = { to: 'City Power and Water', amount_cents: 100, purpose: 'As the page said' };

test('a tool of the provider stands beside the agent’s own; its items outlive a kill -9 and are in a fork, a payment after it waits for a person, and no other provider and no agent without it gets more than what was found (R204)', async () => {
  const near = stopped(await startModelServer());
  const other = stopped(await startModelServer());
  const variables = { NEAR_SERVER_BASE_URL: near.url, OTHER_SERVER_BASE_URL: other.url, OTHER_API_KEY: 'k-other' };
  const vigil = stopped(await startVigil({ variables }));
  const typesIn = (at: number) => near.requests.at(at)!.input!.map(({ type }) => type);
  // The clock of a shared cloud may be days ahead.
  const tomorrow = new Date(+(await vigil.now()) + 86_400_000).toISOString();
  near.script([
    search('I look.', { text: 'It has temples.', ...call('s', 'schedule', { at: tomorrow }) }),
    call('p', 'transfer', payment),
    { text: 'Not paid.' },
  ]);
  const { id } = await (await vigil.user('ada')).start('online', 'What is there in Kyoto?');
  await (await vigil.user('ada')).asleep(id);
  await vigil.kill();
  await vigil.restart();
  await vigil.advance('P1D');
  const ada = await vigil.user('ada');
  const { callbacks, messages, calls } = await ada.waiting(id);
  const asked = callbacks.find(({ status }) => status === 'pending')!;
  expect(asked).toMatchObject({ kind: 'approval', tool: 'transfer', sources: ['web'] });
  const found = messages.find(({ hosted }) => hosted);
  expect(found).toMatchObject({
    text: 'It has temples.',
    citations: [sight],
    hostedSources: ['web'],
    hosted: [{ tool: 'web_search', input: 'Kyoto', status: 'completed', sources: [{ title: 'kyoto.example', url }] }],
  });
  expect(calls.map(({ tool }) => tool)).toEqual(['schedule', 'transfer']);
  const kept = ['message', 'reasoning', 'web_search_call', 'message', 'function_call', 'function_call_output'];
  expect(typesIn(1)).toEqual(kept);
  const hostedTools = ['web_search', 'code_interpreter', 'image_generation'].map((type) => ({ type }));
  expect(near.requests[0]!.hostedTools).toMatchObject(hostedTools);
  await ada.answer(id, asked.id, { approved: false });
  await ada.finished(id);
  const { moved } = await booksOf(vigil.table, await customerOf(vigil.table, id));
  expect(moved.filter((cents) => cents < 0)).toEqual([]);
  expect(vigil.logs()).not.toMatch(/web_search_call|kyoto\.example/);

  near.script([call('h', 'hand_off_to_elsewhere', { reason: 'Closer.' }), { text: 'Near.' }, { text: 'Again.' }]);
  other.script([call('b', 'hand_off_to_nearby', { reason: 'Yours.' })]);
  await ada.say(id, 'And elsewhere?');
  const done = await ada.until(id, ({ status, messages: seen }) => status === 'done' && seen.at(-1)!.text === 'Near.');
  expect(wordsOf(done).at(-1)).toEqual(['nearby', 'Near.']);
  const note = /A note from the system[^"]*tools of the model's provider/;
  for (const request of [other.requests[0]!, near.requests.at(-1)!]) {
    expect(JSON.stringify(request.input ?? request.messages)).not.toMatch(/web_search_call"|encrypted_content/);
    expect(JSON.stringify(request.messages)).toMatch(note);
    expect(JSON.stringify(request.messages)).toContain(url);
  }
  expect(typesIn(-2)).toContain('web_search_call');
  expect(JSON.stringify(near.requests.at(-2)!.messages)).not.toMatch(note);

  const of = { runId: done.run!.id, step: 1 };
  const { body } = await ada.request('POST', `/conversations/${id}/fork`, of);
  const fork = await ada.finished((body as { id: string }).id);
  expect(fork.messages.find(({ hosted }) => hosted)).toMatchObject({ citations: [sight], hostedSources: ['web'] });
  expect(typesIn(-1).slice(0, kept.length)).toEqual(kept);
});
