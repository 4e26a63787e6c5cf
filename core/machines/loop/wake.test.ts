import { segmentOf } from '../../../test/support/segment-of';
import { scriptedStep } from '../../../test/support/stories/scripted-step';
import { dyingEverywhere } from '../../../test/support/tables/mortal-table';
import { nap, testAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { todosIn } from '../../../test/support/tables/todos';
import type { LoopInput } from '../../base/state/loop-state';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { wakeRun } from '../../conversations/conversation/wake';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta, type Table } from '../../conversations/store/table';
import { viewConversation } from '../../people/views/view';

// The owner of a sleeping run wakes it, through the loop that ships, beside the end of the state Sleep.

const agent = testAgent('tester', { tools: [nap] });
const known = registry([agent]);
const start = new Date('2026-03-01T08:00:00Z');
const until = '2026-04-01T08:00:00.000Z';
const naps = (...times: string[]): Reply => ({
  text: '',
  toolCalls: times.map((at, index) => ({ id: `c${index}`, name: 'nap', arguments: JSON.stringify({ at }) })),
});

describe('a sleeping run (R255)', () => {
  const table = tableOfTests();
  let time = start;
  let serial = 0;
  let asked: ModelRequest[] = [];
  beforeEach(() => {
    time = start;
    asked = [];
  });

  const invoke = (input: LoopInput, reply: Reply = { text: 'Good morning.', toolCalls: [] }, on: Table = table) =>
    scriptedStep({ table: on, registry: known, now: () => time, asked }, input, reply);
  async function asleep(...times: string[]) {
    const id = `w${++serial}`;
    const { meta } = await createConversation(table, { id, user: 'ada', agent: 'tester', text: 'Wake me' }, time);
    const slept = await invoke(segmentOf(meta)!.input, naps(...times));
    expect(slept).toMatchObject({ next: 'wait' });
    asked = [];
    // The state Sleep passes its input on.
    return { id, natural: slept as LoopInput };
  }
  const view = (id: string) => viewConversation(table, id, 'ada');
  const wake = (id: string, at = until, on: Table = table, user = 'ada') =>
    wakeRun(on, { conversationId: id, user, until: at }, time);
  /** Lets the current execution do what is left, and checks that the run has said its word once. */
  async function ends(id: string) {
    const meta = (await readMeta(table, id))!;
    if (meta.run!.status !== 'done') await invoke(segmentOf(meta)!.input);
    const seen = await view(id);
    expect(seen).toMatchObject({ status: 'done', usage: { modelCalls: 2 } });
    expect(seen.messages.map(({ text }) => text)).toEqual(['Wake me', '', 'Good morning.']);
    expect(seen.calls).toMatchObject([{ status: 'completed' }]);
    return seen;
  }

  test('that has woken is left alone, and so is another sleep, another user’s, and one that is woken twice', async () => {
    const { id, natural } = await asleep(until);
    expect((await wake(id, '2026-04-02T08:00:00.000Z')).run!.segment).toBe(1);
    await expect(wake(id, until, table, 'eve')).rejects.toMatchObject({ name: 'NotFound' });
    time = new Date(until);
    await invoke(natural, naps('2026-05-01T08:00:00.000Z'));
    expect((await wake(id)).run).toMatchObject({ status: 'sleeping', segment: 1 });
    const once = await wake(id, '2026-05-01T08:00:00Z');
    expect(once.run!.segment).toBe(2);
    // The answer to the first request was lost.
    expect(await wake(id, '2026-05-01T08:00:00Z')).toMatchObject({ run: { segment: 2 } });
    const started = (await todosIn(table, id)).filter(({ does }) => does === 'start');
    expect(started).toMatchObject([{ segment: 1 }, { segment: 2 }]);
  });

  test('with several waits has none left', async () => {
    const { id } = await asleep(until, '2026-03-02T08:00:00.000Z');
    await wake(id);
    expect((await view(id)).calls.map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  test('wakes once, if its time comes at the same moment', async () => {
    for (let times = 0; times < 5; times++) {
      const { id, natural } = await asleep(until);
      time = new Date(until);
      await Promise.allSettled([invoke(natural), wake(id)]);
      await ends(id);
      time = start;
    }
  });

  test('wakes once, wherever the execution whose time has come dies before', async () => {
    await dyingEverywhere(table, async (dies) => {
      const { id, natural } = await asleep(until);
      time = new Date(until);
      await dies((on) => invoke(natural, undefined, on));
      await wake(id);
      const meta = (await readMeta(table, id))!;
      if (meta.run!.status !== 'done') await invoke(meta.run!.segment === 1 ? natural : segmentOf(meta)!.input);
      expect((await view(id)).messages.map(({ text }) => text)).toEqual(['Wake me', '', 'Good morning.']);
      expect((await view(id)).status).toBe('done');
      time = start;
    });
  });

  test('sleeps or is awake, wherever the process that wakes it dies', async () => {
    await dyingEverywhere(table, async (dies) => {
      const { id } = await asleep(until);
      await dies((on) => wake(id, until, on));
      await wake(id);
      await ends(id);
    });
  });
});
