import { notices } from '../modules/notices/construct';
import { assemblyWith } from './support/clouds/assembly-with';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { type PushService, startPushService } from './support/servers/push-service';
import { call } from './support/stories/transcript';

// An app lists a module, leaves it out, and lists it again, while runs wait.

let service: PushService;
let vigil: Vigil;
beforeAll(async () => {
  service = await startPushService();
});
afterAll(async () => {
  await vigil?.stop();
  await service?.stop();
});

test('notifications that are left out for a while lose nothing of a conversation, and are there again afterwards (R277)', async () => {
  const [withNotices, without] = await Promise.all([
    assemblyWith({ modules: [notices()] }),
    assemblyWith({ modules: [] }),
  ]);
  const question = (text: string) => call('q', 'ask_user', { question: text });
  vigil = await startVigil({
    deployment: withNotices.folder,
    variables: { VIGIL_PUSH_ORIGINS: service.url },
    script: ({ messages }) => {
      const last = String(messages.at(-1)?.content);
      return last.includes('Ask') ? question(last) : { text: 'Thanks.' };
    },
    isAlone: true,
  });
  const ada = await vigil.user();
  const { publicKey } = (await ada.request('GET', '/devices')).body as { publicKey: string };
  const browser = service.subscribe(publicKey);
  for (const token of [ada, await vigil.user()])
    expect((await token.request('PUT', '/devices', { ...browser.subscription, name: 'Laptop' })).status).toBe(200);
  const answer = async (id: string) => {
    const { callbacks } = await ada.waiting(id);
    await ada.answer(id, callbacks[0]!.id, { answer: 'Yes' });
  };
  const first = await ada.start('tester', 'Ask first');
  await browser.until(1);

  const modules = async () => ((await ada.request('GET', '/agents')).body as { modules: string[] }).modules;
  expect(await modules()).toEqual(['notices']);
  await vigil.deploy(without.folder);
  expect(await modules()).toEqual([]);
  for (const path of ['/devices', '/notifications']) expect((await ada.request('GET', path)).status).toBe(404);
  expect(await ada.request('GET', '/authority')).toMatchObject({ status: 200 });
  await answer(first.id);
  expect((await ada.finished(first.id)).status).toBe('done');
  const second = await ada.start('tester', 'Ask while it is out');
  await ada.waiting(second.id);
  // Whatever was missed is not made up for.
  expect(browser.received).toHaveLength(1);

  await vigil.deploy(withNotices.folder);
  const { devices } = (await ada.request('GET', '/devices')).body as { devices: { name: string }[] };
  expect(devices.map(({ name }) => name)).toEqual(['Laptop']);
  await answer(second.id);
  expect((await browser.until(2))[1]).toMatchObject({ kind: 'answer', conversationId: second.id });
});
