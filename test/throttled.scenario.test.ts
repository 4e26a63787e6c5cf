import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';

// AWS has no capacity: for an hour, or for all but a few of many runs at once.

const runs = 60;
/** The quota of a new account. */
const concurrency = 10;
jest.setTimeout(1_800_000);

let vigil: Vigil;
let party: ThirdParty;
beforeEach(async () => {
  party = await startThirdParty();
});
afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));

const stranger = { way: 'answer', table: 'none', conversation: 'none', function: 'none' };

/** Calls the tool that the user names, and then ends. */
function model({ messages }: ChatRequest): Reply {
  const last = messages.at(-1)!;
  const [, name] = /Call (\w+)/.exec(String(last.content)) ?? [];
  if (last.role === 'tool' || !name) return { text: 'So be it.' };
  const args = name === 'stranger' ? stranger : { url: party.url, ...(name === 'pay' && { cents: 20_000 }) };
  return { toolCalls: [{ name, arguments: args }] };
}

/** How often a run's execution has been throttled. */
async function throttled(runId: string): Promise<number> {
  const failures = (await vigil.history(runId)).map(({ taskFailedEventDetails, taskSubmitFailedEventDetails }) => {
    const failed = taskFailedEventDetails ?? taskSubmitFailedEventDetails;
    return failed && `${failed.error} ${failed.cause}`;
  });
  return failures.filter((words) => words && /^(?:Lambda\.TooManyRequestsException|Throttled) /.test(words)).length;
}

const states = async (user: User, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await user.read(id)).status as string));

test('throttled for an hour, nothing has failed: no attempt is counted, and a person’s approval and a stop hold meanwhile (R168)', async () => {
  vigil = await startVigil({ script: model });
  const ada = await vigil.user();
  for (const name of ['HitOnce', 'Stranger', 'Ask'])
    await vigil.fault({ function: name, kind: 'throttle', at: 'before', times: 10_000 });
  const begin = async (text: string) => (await ada.start('tester', text)).id;
  const [once, isolated, paid, stopped] = [
    await begin('Call hit_once'),
    await begin('Call stranger'),
    await begin('Call pay'),
    await begin('Call hit_once'),
  ] as const;
  const runOf = async (id: string) => (await ada.read(id)).run!.id;
  await Promise.all([once, isolated, stopped].map((id) => ada.until(id, ({ calls }) => calls.length > 0)));
  const { calls } = await ada.waiting(paid);
  await vigil.advanceUntil(async () => (await throttled(await runOf(stopped))) > 0);
  await vigil.fault({ function: 'CallModel', kind: 'throttle', at: 'before', times: 10_000 });
  const talk = await begin('Hello');

  // The user does not have to wait for capacity to decide or to stop.
  await ada.answer(paid, calls[0]!.callbackId!, { approved: true });
  await ada.cancel(stopped);
  await ada.until(stopped, ({ status }) => status === 'cancelled');
  expect((await vigil.ended(await runOf(stopped))).map(({ status }) => status)).toEqual(['ABORTED']);

  const waiting = [once, isolated, paid, talk];
  const began = (await vigil.now()).getTime();
  const oftenEnough = async () => {
    const times = await Promise.all(waiting.map(async (id) => throttled(await runOf(id))));
    const isAnHour = (await vigil.now()).getTime() - began > 3_600_000;
    // More often than anything else is retried.
    return isAnHour && times.every((count) => count > 8);
  };
  while (!(await oftenEnough())) {
    await vigil.advance('PT5M');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const reasons = await Promise.all(waiting.map(async (id) => (await ada.read(id)).run?.reason));
  expect(reasons).toEqual(waiting.map(() => undefined));
  expect(party.requests).toEqual([]);

  await fetch(`${vigil.url}/_local/faults`, { method: 'DELETE' });
  await vigil.advanceUntil(async () => (await states(ada, waiting)).every((status) => status === 'done'));
  expect((await ada.read(once)).calls).toMatchObject([{ status: 'completed', attempts: 1, result: { hits: 1 } }]);
  const [isolatedCall] = (await ada.read(isolated)).calls;
  expect(isolatedCall).toMatchObject({ status: 'completed', attempts: isolatedCall!.attemptsAtMost! - 1 });
  expect(isolatedCall!.failedAttempts).toBeUndefined();
  expect((await ada.read(paid)).calls).toMatchObject([{ status: 'completed', attempts: 1 }]);
  // One by hit_once, and one payment.
  expect(party.requests).toHaveLength(2);
});

test(`${runs} runs at once at a concurrency of ${concurrency}: all end, and each effect is made once (R168)`, async () => {
  vigil = await startVigil({ script: model, variables: { VIGIL_LOCAL_CONCURRENCY: String(concurrency) } });
  // A user may have 50 active runs.
  const users = await Promise.all(
    Array.from({ length: Math.ceil(runs / 25) }, (_, number) => vigil.user(`user${number}`)),
  );
  const conversations = Array.from({ length: runs }, (_, number) => ({
    user: users[number % users.length]!,
    /** The client's at first, with which the request may be repeated. */
    id: crypto.randomUUID() as string,
    text: number % 3 === 0 ? 'Call stranger' : 'Call hit_once',
  }));
  let refused = 0;
  /** As the page does, asks again until there is capacity for Api. */
  async function persistently(ask: () => ReturnType<User['request']>): Promise<Awaited<ReturnType<User['request']>>> {
    for (;;) {
      const answer = await ask();
      if (answer.status !== 503) return answer;
      refused += 1;
      await new Promise((resolve) => setTimeout(resolve, 20 + 80 * Math.random()));
    }
  }
  await Promise.all(
    conversations.map(async (one) => {
      const asked = { agent: 'tester', text: one.text, id: one.id };
      const { status, body } = await persistently(() => one.user.request('POST', '/conversations', asked));
      expect(status).toBeLessThan(300);
      one.id = (body as { id: string }).id;
    }),
  );
  const left = new Set(conversations);
  const ended: { run: { id: string }; status: string; calls: { status: string; attempts: number }[] }[] = [];
  while (left.size > 0) {
    for (const one of left) {
      const { body } = await persistently(() => one.user.request('GET', `/conversations/${one.id}?after=0`));
      const conversation = body as (typeof ended)[number];
      if (!/done|failed|limited|cancelled/.test(conversation.status)) break;
      left.delete(one);
      ended.push(conversation);
    }
    // What waits for capacity waits by the clock.
    await vigil.advance('PT30S');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(new Set(ended.map(({ status }) => status))).toEqual(new Set(['done']));
  const outcomes = ended.map(({ calls: [call] }) => call!.status);
  expect(new Set(outcomes)).toEqual(new Set(['completed']));
  expect(party.requests).toHaveLength(conversations.filter(({ text }) => text.includes('hit_once')).length);
  const times = await Promise.all(ended.map(({ run }) => throttled(run.id)));
  expect(times.reduce((sum, count) => sum + count) + refused).toBeGreaterThan(runs / 4);
});
