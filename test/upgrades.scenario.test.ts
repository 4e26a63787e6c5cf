import type { User } from './support/api-client';
import { changedAssembly, type Template } from './support/clouds/changed-assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { deliver } from './support/servers/webhook';

// The next version is deployed while runs sleep, wait and work. It replaces the functions of three tools, so that their ARNs are
// others, and renames a state. Executions keep the definition with which they began.

let vigil: Vigil;
let party: ThirdParty;
beforeEach(async () => {
  party = await startThirdParty();
});
afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));

const replaced = ['Hit', 'HitOnce', 'Pay'];

function nextVersion(template: Template): void {
  let text = JSON.stringify(template);
  for (const id of replaced) text = text.replaceAll(`"${id}"`, `"${id}Anew"`).replaceAll(`\${${id}}`, `\${${id}Anew}`);
  // States' names are everywhere in the definition.
  text = text.replaceAll('\\"Sleep\\"', '\\"Slumber\\"');
  template.Resources = (JSON.parse(text) as Template).Resources;
}

test('runs that sleep, wait, work or try again during an upgrade end well, by the definition that it began with (R32, R167)', async () => {
  vigil = await startVigil();
  const inDays = async (days: number) => new Date((await vigil.now()).getTime() + days * 86_400_000).toISOString();
  const calls: Record<string, [name: string, args: object]> = {
    sleep: ['schedule', { at: await inDays(1) }],
    pay: ['pay', { url: party.url, cents: 20_000 }],
    ask: ['ask_user', { question: 'Which?' }],
    order: ['order', { url: party.url }],
    work: ['hit', { url: party.url }],
    'try again': ['hit_once', { url: party.url }],
  };
  vigil.model.script(({ messages }: ChatRequest): Reply => {
    const last = messages.at(-1)!;
    if (last.role === 'tool') return { text: 'Done.' };
    const [name, args] = calls[String(last.content)] ?? [];
    return name ? { toolCalls: [{ name, arguments: args }] } : { text: 'I think about it.', holdAfter: 3 };
  });
  const ada = await vigil.user();
  const begin = async (text: string) => (await ada.start('tester', text)).id;
  await vigil.fault({ function: 'HitOnce', kind: 'throttle', at: 'before', times: 10_000 });
  const ids = {
    sleep: await begin('sleep'),
    pay: await begin('pay'),
    ask: await begin('ask'),
    order: await begin('order'),
    again: await begin('try again'),
  };
  await ada.asleep(ids.sleep);
  const approval = (await ada.waiting(ids.pay)).callbacks[0]!;
  const question = (await ada.waiting(ids.ask)).callbacks[0]!;
  await ada.waiting(ids.order);
  const { webhookUrl } = party.bodies.find(Boolean) as { webhookUrl: string };
  await vigil.advanceUntil(async () => (await failures(ada, ids.again)).includes('Lambda.TooManyRequestsException'));
  const held = party.holdNext();
  const work = await begin('work');
  await held;
  const talk = await begin('think');
  await ada.until(talk, ({ messages }) => messages.length > 1);

  await vigil.deploy(changedAssembly(nextVersion));

  vigil.model.release();
  party.release();
  await ada.answer(ids.pay, approval.id, { approved: true });
  await ada.answer(ids.ask, question.id, { answer: 'This one.' });
  expect((await deliver(webhookUrl, { parcel: 7 })).status).toBe(202);
  const all = { ...ids, work, talk };
  const isDone = async (id: string) => (await ada.read(id)).status === 'done';
  await vigil.advanceUntil(async () => {
    const { sleep: _, ...others } = all;
    return (await Promise.all(Object.values(others).map(isDone))).every(Boolean);
  });
  expect((await ada.read(ids.sleep)).status).toBe('sleeping');
  await vigil.advance('P2D');
  await (await vigil.user()).finished(ids.sleep);

  const ended = await Promise.all(Object.values(all).map((id) => ada.read(id)));
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'done'));
  expect(ended.flatMap(({ calls }) => calls.map(({ status }) => status))).toEqual(Array(6).fill('completed'));
  // One each by hit, hit_once, pay and order: whose function was replaced has run once.
  expect(party.effects).toBe(4);
  const runs = Object.fromEntries(Object.entries(all).map(([name], index) => [name, ended[index]!.run!]));
  // It wakes where it slept, although the latest definition has no such state.
  expect(await vigil.states(runs.sleep!.id)).toEqual(['CallModel', 'Route', 'Sleep', 'CallModel', 'Route', 'Done']);
  // Its function is gone, and its definition names no other: a new segment has the one that took its place.
  expect(runs.pay!.segment).toEqual(2);
  expect(runs.again!.segment).toEqual(2);
  expect(runs.work!.segment).toBe(1);
  calls.sleep = ['schedule', { at: await inDays(1) }];
  const next = await begin('sleep');
  const { run } = await ada.asleep(next);
  expect((await vigil.states(run!.id)).at(-1)).toBe('Slumber');
});

/** The names of the errors of a run's tasks. */
async function failures(user: User, id: string): Promise<(string | undefined)[]> {
  const events = await vigil.history((await user.read(id)).run!.id);
  return events.map(({ taskFailedEventDetails }) => taskFailedEventDetails?.error);
}
