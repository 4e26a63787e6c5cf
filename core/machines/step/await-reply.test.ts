import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { dyingEverywhere } from '../../../test/support/tables/mortal-table';
import { tableOfTests } from '../../../test/support/tables/table';
import { currentTime } from '../../../tools/current-time';
import { free } from '../../base/models/price-list';
import type { LoopInput, LoopOutput } from '../../base/state/loop-state';
import { noUsage } from '../../base/state/schemas';
import { ModelUnavailable, ReplyPending } from '../../base/text/errors';
import { defineAgent } from '../../conversations/agent/agent';
import type { BegunReply, ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { readCallback } from '../../conversations/calls/callback';
import { cancelRun } from '../../conversations/conversation/cancel';
import { failRun } from '../../conversations/conversation/fail';
import { retryRun } from '../../conversations/conversation/retry';
import { sendMessage } from '../../conversations/conversation/send-message';
import { defineGuard } from '../../conversations/guards/guard';
import { pollsWithin, replyIsOver } from '../../conversations/replies/pending-reply';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readSpending } from '../../conversations/runs/spending';
import { changeConversation } from '../../conversations/store/change-conversation';
import { readMeta, readRow, type Table } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';
import { advance, type Loop } from '../loop/advance';
import { cancelReply } from './await-reply';

const spec = { purpose: 'p', instructions: 'i', model: 'm', tools: [currentTime] };
const wary = defineGuard({
  name: 'wary',
  at: ['output'],
  check() {
    if (failures-- > 0) throw new Error('down');
    return 'pass';
  },
});
const known = registry([
  defineAgent({ ...spec, name: 'guarded', guards: [wary] }),
  defineAgent({ ...spec, name: 'tester' }),
  defineAgent({ ...spec, name: 'hasty', onMessage: 'interrupt' }),
  defineAgent({ ...spec, name: 'brief', limits: { seconds: 600 } }),
]);
const table = tableOfTests();
let time: Date;
let serial = 0;
let begun: string[];
let cancelled: BegunReply[];
/** The replies that the provider has completed, by its id. */
let ready: Map<string, Reply | Error>;
let maker: string;
let isTold: boolean;
/** What the reply has said when the connection is lost. */
let speaks: string;
/** How often the guard fails. */
let failures: number;
beforeEach(() => {
  time = new Date('2026-03-01T08:00:00Z');
  [begun, cancelled, ready, maker, isTold] = [[], [], new Map(), 'one', false];
  [speaks, failures] = ['', 0];
});
const later = (seconds: number) => {
  time = new Date(time.getTime() + seconds * 1_000);
};

/** A provider that makes each reply in the background. */
async function reply({ background, onText }: ModelRequest) {
  const id = background!.id ?? `resp_${serial}_${begun.length + 1}`;
  if (!background!.id) {
    begun.push(id);
    await background!.begun({ provider: 'thinker', id, isTold });
  }
  const made = ready.get(id);
  if (speaks) onText(speaks);
  if (!made) throw new ReplyPending('The provider still makes the reply.');
  if (made instanceof Error) throw made;
  return { ...made, usage: { ...noUsage, modelCalls: 1, inputTokens: 50, outputTokens: 5 } };
}
async function cancel(one: BegunReply) {
  cancelled.push(one);
  return { ...noUsage, modelCalls: 1, inputTokens: 40, outputTokens: 3 };
}
const loop = (): Loop => {
  const of = scriptedLoop({ table, registry: known, now: () => time }, reply, () => ({
    model: 'm',
    maker,
    price: free,
  }));
  return { ...of, model: { ...of.model, cancel } };
};
async function started(agent = 'tester'): Promise<string> {
  const id = `p${++serial}`;
  await createConversation(table, { id, user: 'ada', agent, text: 'Think hard.' }, time);
  return id;
}
async function invoke(id: string, more: Partial<LoopInput> = {}): Promise<LoopOutput> {
  return advance(loop(), { ...segmentOf((await readMeta(table, id))!)!.input, ...more });
}
/** As the state machine does when AwaitCallback times out. */
async function again(id: string, { call }: LoopOutput): Promise<LoopOutput> {
  later(call!.timeoutSeconds!);
  return invoke(id, { call, error: { Error: 'States.Timeout' } });
}
const said = (text: string): Reply => ({ text, toolCalls: [] });
const view = (id: string) => viewConversation(table, id, 'ada');
const callbackOf = async (id: string, { call }: LoopOutput) => (await readCallback(table, id, call!.callId))!;

describe('a reply in the background (R201)', () => {
  test('is waited for with a task token, and asked for ever more rarely, once each time', async () => {
    const id = await started();
    let output = await invoke(id);
    const waits: number[] = [];
    for (let elapsed = 0; elapsed < 3_600; elapsed += waits.at(-1)!) {
      expect(output).toMatchObject({ next: 'callback', call: { next: 'callback' } });
      waits.push(output.call!.timeoutSeconds!);
      if (elapsed + waits.at(-1)! >= 3_600) ready.set(begun[0]!, said('The answer.'));
      output = await again(id, output);
    }
    expect(waits.slice(0, 9)).toEqual([10, 10, 20, 40, 80, 160, 240, 240, 240]);
    expect(Math.max(...waits)).toBe(240);
    expect([waits.length, pollsWithin(3_600)]).toEqual([20, 20]);
    expect(output.next).toBe('done');
    expect(begun).toHaveLength(1);
    const { messages, usage, callbacks } = await view(id);
    expect(messages.at(-1)).toMatchObject({ text: 'The answer.', status: 'complete', attempt: 1, background: true });
    expect(usage).toMatchObject({ modelCalls: 1, inputTokens: 50 });
    expect(callbacks).toMatchObject([{ kind: 'model', status: 'answered' }]);
  });

  test('whose provider has a webhook is asked for only in case that one is lost', async () => {
    isTold = true;
    const id = await started();
    expect((await invoke(id)).call).toMatchObject({ timeoutSeconds: 240 });
  });

  test('resumes its execution at once when the provider’s webhook comes, whoever commits first', async () => {
    const id = await started();
    const output = await invoke(id);
    ready.set(begun[0]!, said('The answer.'));
    expect(await replyIsOver(table, 'thinker', begun[0]!, time)).toBe(id);
    expect(await replyIsOver(table, 'thinker', begun[0]!, time)).toBeUndefined();
    expect((await invoke(id, { call: output.call })).next).toBe('done');
    await expect(replyIsOver(table, 'thinker', 'resp_unknown', time)).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('whose webhook came too early is waited for in Sleep', async () => {
    const id = await started();
    const { call } = await invoke(id);
    await replyIsOver(table, 'thinker', begun[0]!, time);
    expect(await invoke(id, { call })).toMatchObject({ next: 'wait', call: { next: 'wait' } });
  });

  test('is read with a message that came meanwhile only in the next step', async () => {
    const id = await started();
    const output = await invoke(id);
    await sendMessage(table, known.agents, id, { user: 'ada', text: 'And?' }, time);
    ready.set(begun[0]!, said('The answer.'));
    expect((await again(id, output)).next).toBe('again');
    await invoke(id);
    expect(begun).toHaveLength(2);
  });

  test.each(['stopped', 'interrupted', 'too late'])(
    'of a run that is %s is cancelled at its provider, and counted once',
    async (how) => {
      const id = await started({ stopped: 'tester', interrupted: 'hasty', 'too late': 'brief' }[how]);
      const output = await invoke(id);
      if (how === 'stopped') await cancelRun(table, known.tools, { conversationId: id, user: 'ada' }, time);
      if (how === 'interrupted') await sendMessage(table, known.agents, id, { user: 'ada', text: 'No.' }, time);
      if (how === 'too late') {
        later(601);
        expect((await invoke(id, { call: output.call, error: { Error: 'States.Timeout' } })).next).toBe('done');
        expect((await view(id)).run).toMatchObject({ status: 'limited', reason: expect.stringContaining('seconds') });
      }
      const callback = await callbackOf(id, output);
      expect(callback).toMatchObject({ status: 'cancelled' });
      const request = { conversationId: id, callbackId: callback.id };
      for (let time = 0; time < 2; time++) await cancelReply(loop(), request);
      expect(cancelled[0]).toMatchObject({ provider: 'thinker', id: begun[0] });
      expect((await view(id)).usage).toMatchObject({ modelCalls: 1, inputTokens: 40, outputTokens: 3 });
    },
  );

  test('of a run that fails for another reason is fetched by its retry', async () => {
    const id = await started();
    await invoke(id);
    await failRun(table, known, segmentOf((await readMeta(table, id))!)!.input, 'Lambda was down.', time);
    await retryRun(table, id, 'ada', time);
    ready.set(begun[0]!, said('The answer.'));
    expect((await invoke(id)).next).toBe('done');
    expect(begun).toHaveLength(1);
  });

  test('of a failed run that a message replaces is cancelled', async () => {
    const id = await started();
    const output = await invoke(id);
    await failRun(table, known, segmentOf((await readMeta(table, id))!)!.input, 'Lambda was down.', time);
    await sendMessage(table, known.agents, id, { user: 'ada', text: 'Again.' }, time);
    const next = await invoke(id);
    expect(await callbackOf(id, output)).toMatchObject({ status: 'cancelled' });
    // The first reply of the run in its place is waited for like any other.
    expect((await again(id, next)).next).toBe('callback');
    expect(await callbackOf(id, next)).toMatchObject({ status: 'pending' });
    ready.set(begun[1]!, said('The answer.'));
    expect((await again(id, next)).next).toBe('done');
    expect(begun).toHaveLength(2);
  });

  test('that the provider fails with is asked for anew', async () => {
    const id = await started();
    const output = await invoke(id);
    ready.set(begun[0]!, new ModelUnavailable('The provider failed.'));
    const waits = await again(id, output);
    expect(waits).toMatchObject({ next: 'wait', call: { callId: 'model' } });
    later(60);
    await invoke(id);
    expect(begun).toHaveLength(2);
    expect(await callbackOf(id, output)).toMatchObject({ status: 'answered' });
  });

  test('that the provider fails with is paid for as far as it is known to be, wherever the process dies', async () => {
    await dyingEverywhere(table, async (dies) => {
      begun = [];
      const user = `payer-${++serial}`;
      const id = `p${serial}`;
      const limited = (of: Table): Loop => ({ ...loop(), table: of, limits: { month: { steps: 100 } } });
      await createConversation(table, { id, user, agent: 'hasty', text: 'Think hard.' }, time);
      const input = async () => segmentOf((await readMeta(table, id))!)!.input;
      const { call } = await advance(limited(table), await input());
      ready.set(begun[0]!, new ModelUnavailable('The provider failed.'));
      const again = { ...(await input()), call, error: { Error: 'States.Timeout' } };
      await dies((on) => advance(limited(on), again));
      await sendMessage(table, known.agents, id, { user, text: 'No.' }, time);
      await cancelReply(limited(table), { conversationId: id, callbackId: call!.callId });
      const { usage, reserved } = (await readRow(table, id, key.message(2))) as { usage?: object; reserved?: string };
      const { steps } = (await readSpending(table, user, time)).month;
      expect({ usage, reserved, steps }).toMatchObject({ steps: usage || reserved ? 1 : 0 });
    });
  });

  test('of a model that a deployment has replaced is cancelled, and the new model is asked', async () => {
    const id = await started();
    const output = await invoke(id);
    maker = 'another';
    expect((await again(id, output)).next).toBe('again');
    expect(await callbackOf(id, output)).toMatchObject({ status: 'cancelled' });
    expect((await invoke(id)).next).toBe('callback');
    expect(begun).toHaveLength(2);
    // The step is that of the new model. What the other one has used is billed all the same, and counted once.
    const { owner } = (await readMeta(table, id))!;
    const before = (await readSpending(table, owner, time)).month;
    const { id: callbackId } = await callbackOf(id, output);
    for (let times = 0; times < 2; times++) await cancelReply(loop(), { conversationId: id, callbackId });
    const { month } = await readSpending(table, owner, time);
    expect([month.steps - before.steps, month.tokens - before.tokens]).toEqual([0, 43]);
  });

  test('is cancelled if a summary is needed first: it is not taken for the summary', async () => {
    const id = await started();
    for (const index of [0, 1]) {
      const output = await invoke(id);
      ready.set(begun[index]!, said('A long answer. '.repeat(200)));
      expect((await again(id, output)).next).toBe('done');
      await sendMessage(table, known.agents, id, { user: 'ada', text: 'And now?' }, time);
    }
    const output = await invoke(id);
    // The server has taught meanwhile that it takes less.
    await changeConversation(table, id, (meta) => ({ meta: { ...meta, windows: { m: 900 } }, answer: undefined }));
    ready.set(begun[2]!, said('The third answer.'));
    expect((await again(id, output)).next).toBe('again');
    expect(await callbackOf(id, output)).toMatchObject({ status: 'cancelled' });
    const { messages } = await view(id);
    expect(messages.filter(({ text }) => text === 'The third answer.')).toEqual([]);
  });

  test('that does not come within a day fails like a server that is down, and is cancelled', async () => {
    const id = await started();
    const output = await invoke(id);
    later(86_400);
    expect(await invoke(id, { call: output.call })).toMatchObject({ next: 'wait', call: { callId: 'model' } });
    const reason = 'The provider has not completed the reply within a day.';
    expect((await view(id)).run!.modelWait).toMatchObject({ reason });
    expect(await callbackOf(id, output)).toMatchObject({ status: 'cancelled' });
  });

  test('that people have seen a part of is followed at once, by an attempt that writes it anew', async () => {
    const id = await started();
    speaks = 'First. ';
    expect((await invoke(id)).next).toBe('again');
    ready.set(begun[0]!, said('First. Second.'));
    expect((await invoke(id)).next).toBe('done');
    expect((await view(id)).messages.at(-1)).toMatchObject({ text: 'First. Second.', attempt: 2 });
    expect(begun).toHaveLength(1);
  });

  test('that a guard could not check is fetched again, and counted once', async () => {
    const id = await started('guarded');
    const output = await invoke(id);
    ready.set(begun[0]!, said('The answer.'));
    failures = 3;
    await expect(again(id, output)).rejects.toMatchObject({ name: 'GuardFailed' });
    expect((await invoke(id)).next).toBe('done');
    expect(begun).toHaveLength(1);
    expect((await view(id)).usage).toMatchObject({ modelCalls: 1, inputTokens: 50 });
  });
});
