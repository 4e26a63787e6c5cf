import { callLook, lookingAgent, stepsIn } from '../../test/support/tables/steps';
import { tableOfTests } from '../../test/support/tables/table';
import { cancelRun } from '../conversation/cancel';
import { failRun } from '../conversation/fail';
import { retryRun } from '../conversation/retry';
import type { Table } from '../store/table';
import { viewConversation } from '../views/view';
import { beginStep } from './begin-step';

// A step begins with two writes: its place in META, and the row of its message.

const now = new Date('2026-03-01T08:00:00Z');
const isPlace = ({ input }: { input: { Item?: { sk: string } } }) => input.Item?.sk === 'META';
const isRow = ({ input }: { input: { Key?: { sk: string }; UpdateExpression?: string } }) =>
  input.UpdateExpression !== undefined && input.Key?.sk.startsWith('M#') === true;

describe('a step that begins', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);

  async function givenSecond() {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), callLook);
    return { id, at: { ...at, step: 2 } };
  }
  const last = async (id: string) => (await viewConversation(table, id, 'ada')).messages.at(-1)!;
  const cancel = (id: string) => cancelRun(table, new Map(), { conversationId: id, user: 'ada' }, now);
  const fail = (at: Parameters<typeof steps.begin>[0]) =>
    failRun(table, { agents: new Map(), tools: new Map() }, at, 'It is down.', now);

  /** Begins a step at a table that does something else before or instead of a request. */
  const beginAt = (
    at: Parameters<typeof steps.begin>[0],
    send: (command: never, pass: () => Promise<unknown>) => Promise<unknown>,
    writer = 'w1',
  ) => {
    const pass = (command: unknown) => table.client.send(command as never);
    const client = { send: (command: never) => send(command, () => pass(command)) } as unknown as Table['client'];
    return beginStep({ ...table, client }, at, { agent: lookingAgent, writer, now });
  };
  const dies = (at: Parameters<typeof steps.begin>[0]) =>
    expect(
      beginAt(at, async (command, pass) => {
        if (isRow(command)) throw new Error('The process is gone.');
        return pass();
      }),
    ).rejects.toThrow('gone');

  test('and whose process dies between the two is made by the next attempt, at the same place (R29, R184)', async () => {
    const { id, at } = await givenSecond();
    await dies(at);
    expect((await viewConversation(table, id, 'ada')).messages).toHaveLength(2);
    const draft = await steps.begin(at, 'w2');
    expect(await last(id)).toMatchObject({ seq: draft.seq, status: 'streaming', attempt: 2, version: 1 });
    await steps.commit(at, draft, { text: 'Seen.', toolCalls: [] });
    expect(await last(id)).toMatchObject({ seq: 3, status: 'complete', text: 'Seen.', author: 'tester' });
  });

  test('can be cancelled, or fail and be retried, between the two (R29, R88)', async () => {
    const { id, at } = await givenSecond();
    await dies(at);
    await cancel(id);
    const ended = { seq: 3, role: 'assistant', author: 'tester', runId: at.runId, step: 2, text: '', attempt: 1 };
    expect(await last(id)).toMatchObject({ ...ended, status: 'cancelled' });

    const failing = await givenSecond();
    await dies(failing.at);
    expect(await fail(failing.at)).toBe(true);
    expect(await last(failing.id)).toMatchObject({ ...ended, runId: failing.at.runId, status: 'error' });
    const { run } = await retryRun(table, failing.id, 'ada', now);
    const again = { ...failing.at, segment: run!.segment };
    await steps.commit(again, await steps.begin(again, 'w2'), { text: 'Seen.', toolCalls: [] });
    expect(await last(failing.id)).toMatchObject({ seq: 3, status: 'complete', text: 'Seen.', attempt: 2 });
  });

  test.each([
    ['another attempt has taken over', (_id: string, at: never) => steps.begin(at, 'w2'), 'streaming', 2],
    ['it was cancelled', cancel, 'cancelled', 1],
    ['it failed', (_id: string, at: never) => fail(at), 'error', 1],
  ])('writes no row after %s (R29)', async (_what, first, status, attempt) => {
    const { id, at } = await givenSecond();
    const begun = beginAt(at, async (command, pass) => {
      if (isRow(command)) await first(id, at as never);
      return pass();
    });
    await expect(begun).rejects.toMatchObject({ name: 'Superseded' });
    expect(await last(id)).toMatchObject({ status, attempt, version: 1 });
  });

  test.each([
    ['place', isPlace],
    ['row', isRow],
  ])('begins once if the answer to the write of its %s is lost (R139)', async (_what, isLost) => {
    const { id, at } = await givenSecond();
    let lost = 0;
    const begun = await beginAt(at, async (command, pass) => {
      const answer = await pass();
      if (!(isLost as (command: unknown) => boolean)(command) || lost++) return answer;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    });
    expect(begun).toMatchObject({ kind: 'begun', draft: { seq: 3, writer: 'w1', attempt: 1 } });
    expect(lost).toBeGreaterThan(0);
    expect((await viewConversation(table, id, 'ada')).messages).toHaveLength(3);
    expect(await last(id)).toMatchObject({ seq: 3, status: 'streaming', attempt: 1, version: 1 });
  });
});
