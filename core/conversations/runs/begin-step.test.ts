import { callLook, lookingAgent, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { viewConversation } from '../../people/views/view';
import type { Table } from '../store/table';
import { beginStep } from './begin-step';

const now = new Date('2026-03-01T08:00:00Z');

describe('a step that begins', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);

  async function givenSecond() {
    const { id, at } = await steps.given();
    await steps.commit(at, await steps.begin(at), callLook);
    return { id, at: { ...at, step: 2 } };
  }
  const last = async (id: string) => (await viewConversation(table, id, 'ada')).messages.at(-1)!;

  test('again, after its process died, keeps its place and loses the text so far (R29, R184)', async () => {
    const { id, at } = await givenSecond();
    const died = await steps.begin(at);
    await steps.says(id, died, 'One. ');
    const draft = await steps.begin(at, 'w2');
    expect(draft).toMatchObject({ seq: died.seq, attempt: 2 });
    expect(await last(id)).toMatchObject({ seq: 3, status: 'streaming', text: '', attempt: 2, version: 2 });
    await steps.commit(at, draft, { text: 'Seen.', toolCalls: [] });
    expect(await last(id)).toMatchObject({ seq: 3, status: 'complete', text: 'Seen.', author: 'tester' });
  });

  test('begins once if the answer to its write is lost (R139)', async () => {
    const { id, at } = await givenSecond();
    let lost = 0;
    const send = async (command: { input: { TransactItems?: object } }) => {
      const answer = await table.client.send(command as never);
      if (!command.input.TransactItems || lost++) return answer;
      throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
    };
    const losing = { ...table, client: { send } as unknown as Table['client'] };
    const begun = await beginStep(losing, at, { agent: lookingAgent, writer: 'w1', now });
    expect(begun).toMatchObject({ kind: 'begun', draft: { seq: 3, writer: 'w1', attempt: 1 } });
    expect(lost).toBeGreaterThan(1);
    expect((await viewConversation(table, id, 'ada')).messages).toHaveLength(3);
    expect(await last(id)).toMatchObject({ seq: 3, status: 'streaming', attempt: 1, version: 1 });
  });
});
