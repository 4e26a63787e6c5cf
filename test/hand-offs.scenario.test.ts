import { startVigil } from './support/clouds/vigil';
import type { ChatRequest } from './support/servers/model-server';
import { stopAfterEach } from './support/stop-after-each';
import { nudgeToEnd } from './support/stories/patience';
import { call, wordsOf } from './support/stories/transcript';

// Several agents, one conversation: the model's decision to hand over switches instructions and tools, and holds.

const stopped = stopAfterEach();
const whoIs = ({ messages }: ChatRequest) => String(messages[0]!.content);
const to = (agent: string, id = 'h') => call(id, `hand_off_to_${agent}`, { reason: 'They want that.' });

test('a hand-off switches instructions and tools, also after a crash; the agent stays until the next one; of two in a reply the first counts, and a loop of them hits the step limit (R9, R69, R70)', async () => {
  const vigil = stopped(await startVigil());
  const toolCalls = [...to('back', 'a').toolCalls!, ...to('side', 'b').toolCalls!];
  vigil.model.script([
    { toolCalls },
    { text: 'Here is the back.' },
    to('front', 'c'),
    to('side', 'd'),
    { text: 'Aside.' },
  ]);
  await vigil.fault({ function: 'CallModel', kind: 'crash', at: 'after' });
  const ada = await vigil.user();
  const { id } = await ada.start('front', 'Do some work');
  const done = await nudgeToEnd(vigil, id);
  expect(done).toMatchObject({ agent: 'back', run: { agent: 'back', step: 2 } });
  expect(done.calls).toMatchObject([
    { tool: 'hand_off_to_back', status: 'completed' },
    { status: 'failed', error: expect.stringContaining('the first one counts') },
  ]);
  // The first agent is not asked again.
  expect(vigil.model.requests.map(whoIs)).toEqual(['You are the front.', 'You are the back.']);
  const tools = vigil.model.requests[1]!.tools!.map((tool) => (tool as { function: { name: string } }).function.name);
  expect(tools).toEqual(['current_time', 'pay', 'misbehave', 'schedule', 'hand_off_to_front']);
  expect(wordsOf(done).at(-1)).toEqual(['back', 'Here is the back.']);
  expect(await vigil.states(done.run!.id)).toEqual(['CallModel', 'Route', 'CallModel', 'Route', 'Done']);

  await ada.say(id, 'And more');
  const again = await ada.until(id, ({ messages, status }) => status === 'done' && messages.at(-1)!.text === 'Aside.');
  expect(vigil.model.requests.slice(2, 4).map(whoIs)).toEqual(['You are the back.', 'You are the front.']);
  expect(wordsOf(again).at(-1)).toEqual(['side', 'Aside.']);

  vigil.model.script((request) =>
    to(whoIs(request).includes('front') ? 'back' : 'front', `h${request.messages.length}`),
  );
  const { id: loop } = await ada.start('front', 'Loop');
  expect((await ada.finished(loop)).run).toMatchObject({ status: 'limited', step: 8 });
});
