import type { Conversation } from './support/api-types';
import { startVigil } from './support/clouds/vigil';
import { startThirdParty } from './support/servers/third-party';
import { stopAfterEach } from './support/stop-after-each';
import { resultsIn } from './support/stories/transcript';

// The approvals of one reply do not mix. Each waits for itself, with its own token, in its own iteration of the Map.

const stopped = stopAfterEach();

test('five approvals of one reply, beside a function and a wait: each is decided for itself and runs at once, or its time runs out; nothing is repeated, results come in call order, and the wait begins when all is decided (R28, R53, R108, R113, R114)', async () => {
  const party = stopped(await startThirdParty());
  const vigil = stopped(await startVigil());
  const at = new Date((await vigil.now()).getTime() + 5 * 86_400_000).toISOString();
  const cents = [10_001, 10_002, 10_003, 10_004, 10_005];
  const payments = cents.map((amount) => ({ name: 'pay', arguments: { url: party.url, cents: amount } }));
  const others = [
    { name: 'hit', arguments: { url: `${party.url}/hit` } },
    { name: 'schedule', arguments: { at } },
  ];
  const toolCalls = [...payments, ...others].map((one, nth) => ({ id: `c${nth}`, ...one }));
  vigil.model.script([{ toolCalls }, { text: 'That is that.' }]);
  const pending = ({ callbacks }: Conversation) => callbacks.filter(({ status }) => status === 'pending');
  const paid = () => party.effectPaths.filter((path) => path !== '/hit').map((path) => Number(path.split('/').at(-1)));
  const ada = await vigil.user();
  const { id } = await ada.start('tester', 'Pay them all');
  const waiting = await ada.until(id, (now) => pending(now).length === 5 && now.status === 'waiting');
  const askedFor = (amount: number) =>
    waiting.callbacks.find(({ arguments: args }) => (args as { cents: number }).cents === amount)!.id;
  await ada.until(id, ({ calls }) => calls[5]!.status === 'completed');

  await ada.answer(id, askedFor(10_003), { approved: true });
  // It has run, and the other four still wait.
  const one = await ada.until(id, ({ calls }) => calls[2]!.status === 'completed');
  expect(one.status).toBe('waiting');
  expect(pending(one)).toHaveLength(4);
  expect(paid()).toEqual([10_003]);
  await ada.answer(id, askedFor(10_005), { approved: false, reason: 'Not this one.' });
  await ada.until(id, ({ calls }) => calls[4]!.status === 'failed');
  await Promise.all([
    ada.answer(id, askedFor(10_001), { approved: true, arguments: { url: party.url, cents: 1 } }),
    ada.answer(id, askedFor(10_004), { approved: true }),
  ]);
  const three = await ada.until(id, ({ calls }) => [0, 3].every((nth) => calls[nth]!.status === 'completed'));
  expect([three.status, pending(three).length, vigil.model.calls]).toEqual(['waiting', 1, 1]);
  await vigil.advance('P4D');
  const { run } = await ada.asleep(id);
  await vigil.advance('P2D');
  const done = await ada.finished(id);

  expect(paid().sort((a, b) => a - b)).toEqual([1, 10_003, 10_004]);
  expect(party.requests).toHaveLength(4);
  expect(resultsIn(vigil)).toEqual([
    expect.stringMatching(/^\[The approver changed the arguments\..*\{"paid":1\}$/),
    'Error: Nobody approved the payment within three days, so it was not made.',
    '{"paid":10003}',
    '{"paid":10004}',
    'Error: Not approved, so it was not done. The reason: Not this one.',
    '{"hits":1}',
    expect.stringMatching(/^The time has come/),
  ]);
  const statuses = ['completed', 'failed', 'completed', 'completed', 'failed', 'completed', 'completed'];
  expect(done.calls.map(({ status }) => status)).toEqual(statuses);
  expect(done.callbacks.map(({ status }) => status)).toEqual([
    'answered',
    'expired',
    'answered',
    'answered',
    'answered',
  ]);
  const events = await vigil.history(run!.id);
  const tokens = events.flatMap(
    ({ taskScheduledEventDetails: task }) => /"taskToken":"([^"]+)"/.exec(task?.parameters ?? '')?.[1] ?? [],
  );
  expect(new Set(tokens).size).toBe(5);
  const states = await vigil.states(run!.id);
  expect(states.filter((state) => state === 'pay (parallel)')).toHaveLength(3);
  expect(states.filter((state) => state === 'Refused (parallel)')).toHaveLength(1);
  expect(states.slice(-4)).toEqual(['Sleep', 'CallModel', 'Route', 'Done']);
});
