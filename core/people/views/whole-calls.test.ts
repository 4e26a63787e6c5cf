import { storedCall } from '../../../test/support/page/rows';
import { tableOfTests } from '../../../test/support/tables/table';
import { storeResult } from '../../conversations/calls/result';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { write } from '../../conversations/store/table';
import { wholeCalls } from './whole-calls';

describe('calls for an export', () => {
  const table = tableOfTests();

  test('come whole, page by page, to the owner alone, with nothing that is not for them (R160)', async () => {
    const now = new Date('2026-03-01T08:00:00Z');
    await createConversation(table, { id: 'many', user: 'ada', agent: 'reminder', text: 'Hi' }, now);
    const large = 'x'.repeat(900_000);
    const ids = Array.from({ length: 30 }, (_, index) => `r_1.${String(index).padStart(2, '0')}`);
    for (const id of ids) {
      const { fields, rows } = storeResult(id, id.endsWith('7') ? large : 'small', 2_000_000);
      const call = storedCall(id, now.toISOString(), {
        runId: 'r_1',
        tool: 't',
        arguments: '{"a":1}',
        status: 'completed',
        attempts: 1,
        approved: 'digest',
      });
      await write(table, 'many', [{ sk: key.call(id), put: { ...call, ...fields } }, ...rows]);
    }
    const read: { id: string; result?: unknown }[] = [];
    for (let more = true; more; ) {
      const page = await wholeCalls(table, 'many', 'ada', read.at(-1)?.id);
      expect(JSON.stringify(page).length).toBeLessThan(5_500_000);
      expect(JSON.stringify(page)).not.toContain('digest');
      read.push(...page.calls);
      more = page.more;
    }
    expect(read.map(({ id }) => id)).toEqual(ids);
    expect(read.filter(({ result }) => result === large)).toHaveLength(3);
    await expect(wholeCalls(table, 'many', 'eve')).rejects.toMatchObject({ name: 'NotFound' });
  });
});
