import type { HistoryEvent, SFNClient } from '@aws-sdk/client-sfn';
import { registry } from '../core/conversations/agent/registry';
import { readCallbacksOfRun } from '../core/conversations/calls/callback';
import { cancelRun } from '../core/conversations/conversation/cancel';
import { failRun } from '../core/conversations/conversation/fail';
import { sendMessage } from '../core/conversations/conversation/send-message';
import { key } from '../core/conversations/rows/keys';
import { readMeta, write } from '../core/conversations/store/table';
import { segmentOf } from '../test/support/segment-of';
import { actOnTodos } from '../test/support/tables/act-on-todos';
import { lookingAgent, stepsIn } from '../test/support/tables/steps';
import { tableOfTests } from '../test/support/tables/table';
import { attemptsOf, cancelByFunctions } from './executions';

const now = new Date('2027-03-01T08:00:00.000Z');
const table = tableOfTests();

test('a cancelled run leaves no address open, however many its steps have given away (R195)', async () => {
  const { id } = await stepsIn(table, now).given('addresses');
  const { run } = (await readMeta(table, id))!;
  const ids = Array.from({ length: 40 }, (_, number) => `${run!.id}.1.${number}`);
  for (const one of ids)
    await write(table, id, [
      {
        sk: key.callback(one),
        onlyIf: 'absent',
        put: {
          version: 1,
          id: one,
          runId: run!.id,
          callId: one,
          tool: 'hook',
          kind: 'webhook',
          status: 'pending',
          prompt: '',
          delivers: 'message',
          createdAt: now.toISOString(),
          expiresAt: '2027-04-01T08:00:00.000Z',
        },
      },
    ]);
  const { tools } = registry([lookingAgent]);
  await cancelRun(table, tools, { conversationId: id, user: 'ada' }, now);
  const pending = async () =>
    (await readCallbacksOfRun(table, id, run!.id)).filter(({ status }) => status === 'pending').length;
  expect(await pending()).toBe(10);
  await actOnTodos(table, id, registry([lookingAgent]));
  expect(await pending()).toBe(0);
});

test('a run that is cancelled before its first step closes what the failed run before it has asked, and a reply at its provider (R261)', async () => {
  const { id } = await stepsIn(table, now).given('replaced');
  const { run } = (await readMeta(table, id))!;
  const deployment = registry([lookingAgent]);
  await failRun(table, deployment, segmentOf((await readMeta(table, id))!)!.input, 'It broke off.', now);
  const put = {
    version: 1,
    id: `${run!.id}.00001.reply1-1`,
    runId: run!.id,
    kind: 'model',
    status: 'pending',
    prompt: '',
  };
  const times = { createdAt: now.toISOString(), expiresAt: '2027-04-01T08:00:00.000Z' };
  await write(table, id, [{ sk: key.callback(put.id), put: { ...put, ...times }, onlyIf: 'absent' }]);
  await sendMessage(table, deployment.agents, id, { user: 'ada', text: 'Again' }, now);
  await cancelRun(table, deployment.tools, { conversationId: id, user: 'ada' }, now);
  await actOnTodos(table, id, registry([lookingAgent]));
  expect(await readCallbacksOfRun(table, id, run!.id)).toMatchObject([{ status: 'cancelled' }]);
});

describe('what Step Functions knows of a run (R197)', () => {
  const at = new Date(now);
  const entered = (id: number, name: string): HistoryEvent => ({
    id,
    previousEventId: id - 1,
    timestamp: at,
    type: 'TaskStateEntered',
    stateEnteredEventDetails: { name, input: '{}' },
  });
  const failed = (id: number): HistoryEvent => ({
    id,
    previousEventId: id - 1,
    timestamp: at,
    type: 'TaskFailed',
    taskFailedEventDetails: { resourceType: 'lambda', resource: 'invoke', error: 'Throttled' },
  });
  /** Answers from a history, oldest event first, and keeps the sizes of the pages that were asked for. */
  async function askedOf(history: HistoryEvent[]) {
    const pages: number[] = [];
    const send = async ({ input }: { input: { maxResults: number; nextToken?: string } }) => {
      const from = Number(input.nextToken ?? 0);
      const until = from + input.maxResults;
      pages.push(input.maxResults);
      return {
        events: history.toReversed().slice(from, until),
        nextToken: until < history.length ? String(until) : undefined,
      };
    };
    process.env.STATE_MACHINE_ARN = 'arn:aws:states:eu-central-1:000000000000:stateMachine:loop';
    const { id } = await stepsIn(table, now).given('asked');
    const { run } = (await readMeta(table, id))!;
    const known = await attemptsOf({ send } as unknown as SFNClient, registry([lookingAgent]), run, []);
    return { pages, known };
  }
  const started: HistoryEvent = { id: 1, previousEventId: 0, timestamp: at, type: 'ExecutionStarted' };

  test('one page is read if it tells of all that is open', async () => {
    const exited = (id: number): HistoryEvent => ({
      id,
      previousEventId: id - 1,
      timestamp: at,
      type: 'TaskStateExited',
    });
    const history = [started, ...Array.from({ length: 401 }, (_, n) => (n % 2 ? exited : entered)(n + 2, 'CallModel'))];
    const { pages, known } = await askedOf(history);
    expect(pages).toEqual([150]);
    expect(known.attempts).toMatchObject([{ state: 'CallModel', attempt: 1 }]);
  });

  test('a state that was entered before is looked for, in larger pages', async () => {
    const history = [started, entered(2, 'CallModel'), ...Array.from({ length: 1_200 }, (_, n) => failed(n + 3))];
    const { pages, known } = await askedOf(history);
    expect(pages).toEqual([150, 1_000, 1_000]);
    expect(known.attempts).toMatchObject([{ state: 'CallModel', attempt: 1_201 }]);
  });

  test('and not for ever', async () => {
    const history = [started, entered(2, 'CallModel'), ...Array.from({ length: 9_000 }, (_, n) => failed(n + 3))];
    const { pages, known } = await askedOf(history);
    expect(pages).toEqual([150, 1_000, 1_000, 1_000]);
    expect(known).toEqual({ execution: 'running', attempts: [] });
  });
});

test('work that is no longer needed is ended; a deployment without tools of servers goes on without (R222)', async () => {
  const sent: object[] = [];
  const client = { send: async ({ input }: { input: object }) => void sent.push(input) } as never;
  const callback = { id: 'c.task', kind: 'task', runId: 'r', callId: 'c', tool: 'a__b', taskId: 't' } as never;
  process.env.CALL_MODEL_ARN = 'arn:model';
  await cancelByFunctions(client)('conversation', callback);
  expect(sent).toEqual([]);
  process.env.RUN_ISOLATED_ARN = 'arn:isolated';
  await cancelByFunctions(client)('conversation', callback);
  const ids = { conversationId: 'conversation', runId: 'r', callId: 'c', tool: 'a__b', cancelTask: 't' };
  expect(sent).toEqual([{ FunctionName: 'arn:isolated', InvocationType: 'Event', Payload: JSON.stringify(ids) }]);
  delete process.env.RUN_ISOLATED_ARN;
});
