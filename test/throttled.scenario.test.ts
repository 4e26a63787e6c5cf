import { readMeta } from '../core/conversations/store/table';
import type { User } from './support/api-client';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { playCrowd } from './support/stories/crowd/crowd';
import { crowdModel, kinds } from './support/stories/crowd/kinds';

// AWS has no capacity: for an hour, or for all but a few of many runs at once. `npm run bench -- --only scale` plays the crowd with a
// thousand conversations.

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

test('many conversations of all kinds beside one another, at a concurrency of five: all start, are answered and wake at once; each says and does everything once (R168, R188)', async () => {
  vigil = await startVigil({ variables: { VIGIL_LOCAL_CONCURRENCY: '5' } });
  const count = 4 * kinds.length;
  const at = new Date((await vigil.now()).getTime() + 86_400_000);
  vigil.model.script(crowdModel(at.toISOString(), 0));
  const userOf = (number: number) => vigil.idOf(`ada${number}`);
  const { url, table } = vigil;
  // What waits for capacity waits for seconds, by a clock that goes on by itself.
  const { problems } = await playCrowd({ url, table, count, at, userOf });
  expect(problems).toEqual([]);
  const modelCalls = Array.from({ length: count }, (_, number) => kinds[number % kinds.length]!.modelCalls);
  expect(vigil.model.calls).toBe(modelCalls.reduce((sum, calls) => sum + calls));
  const seen = await Promise.all(
    [0, 1, 2, 3].map(async (number) => (await (await vigil.user(`ada${number}`)).list()).conversations),
  );
  const runIds = await Promise.all(seen.flat().map(async ({ id }) => (await readMeta(table, id))!.run!.id));
  const times = await Promise.all(runIds.map(throttled));
  expect(times.reduce((sum, one) => sum + one)).toBeGreaterThan(0);
});
