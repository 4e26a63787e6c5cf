import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { shipped } from '../agents';
import { deleteConversation } from '../core/conversations/conversation/delete';
import { forkConversation } from '../core/conversations/conversation/fork';
import { sendMessage } from '../core/conversations/conversation/send-message';
import { inThisFormat } from '../core/conversations/rows/formats';
import { conversationIn, key } from '../core/conversations/rows/keys';
import { kindOf, parsedAs } from '../core/conversations/rows/kinds';
import { readLog } from '../core/conversations/runs/log';
import { readMeta } from '../core/conversations/store/table';
import { listConversations } from '../core/people/views/list';
import { viewConversation } from '../core/people/views/view';
import { longTest } from './support/long';
import { recordings } from './support/recorded-rows';
import { tableOfTests } from './support/tables/table';

// What the last three versions have stored is read and continued by this one. `test/support/record-rows.ts` has recorded it.

const now = new Date('2027-03-01T08:00:00.000Z');
const recorded = recordings();

test('the rows of three versions are recorded, with all that a conversation has (R231)', () => {
  expect(recorded).toHaveLength(3);
  for (const { rows } of recorded) {
    const found = new Set(rows.map(({ pk, sk }) => kindOf(String(pk), String(sk))!.name));
    expect([...found]).toEqual(expect.arrayContaining(['meta', 'message', 'call', 'callback', 'timer', 'memory']));
  }
});

describe.each(recorded)('the rows of $version', ({ version, rows }) => {
  const testOfOldest = version === recorded[0]!.version ? test : longTest;
  const table = tableOfTests();
  beforeAll(async () => {
    for (const Item of rows) await table.client.send(new PutCommand({ TableName: table.name, Item }));
  });
  const ids = rows.filter(({ sk }) => sk === key.meta).map(({ pk }) => conversationIn(String(pk)));

  test('are read by their schemas, after the upgrades (R231)', () => {
    for (const row of rows) {
      const { schema } = kindOf(String(row.pk), String(row.sk))!;
      expect(() => parsedAs(schema, inThisFormat(row))).not.toThrow();
    }
  });

  testOfOldest('are conversations that are shown, listed, written to, forked and deleted (R231)', async () => {
    let [written, forked] = [0, 0];
    for (const id of ids) {
      const meta = (await readMeta(table, id))!;
      const user = meta.owner;
      if (!user) continue;
      const seen = await viewConversation(table, id, user);
      expect(JSON.stringify(seen)).not.toContain('"unreadable"');
      const log = await readLog(table, id);
      expect(log.messages.map(({ seq }) => seq)).toEqual(seen.messages.map(({ seq }) => seq));
      const step = log.messages.find(
        (message) => message.runId === meta.run?.id && message.step !== undefined && message.status === 'complete',
      )?.step;
      if (meta.run && step !== undefined) {
        const fork = await forkConversation(table, { from: id, id: `fork_${id}`, user, step }, now);
        expect(fork).toMatchObject({ status: 'running', entry: meta.entry });
        expect(JSON.stringify(await viewConversation(table, fork.conversationId, user))).not.toContain('"unreadable"');
        forked += 1;
      }
      const { message } = await sendMessage(table, shipped.agents, id, { user, text: 'Hello again' }, now);
      expect(await viewConversation(table, id, user)).toMatchObject({
        messages: expect.arrayContaining([expect.objectContaining({ seq: message.seq })]),
      });
      written += 1;
      const { conversations } = await listConversations(table, user, undefined, { limit: 100 });
      expect(conversations.map((one) => one.id)).toContain(id);
      await deleteConversation(table, shipped.tools, id, user, now);
      await expect(viewConversation(table, id, user)).rejects.toMatchObject({ name: 'NotFound' });
    }
    expect(written).toBeGreaterThan(5);
    expect(forked).toBeGreaterThan(5);
  });
});
