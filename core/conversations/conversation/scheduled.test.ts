import { stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { SegmentInput } from '../../base/state/loop-state';
import type { Meta } from '../rows/meta';
import { append, type Way } from '../runs/append';
import { changeConversation } from '../store/change-conversation';
import { readMeta } from '../store/table';

// Scheduled calls: the step that reads their message makes each of them once.

const now = new Date('2027-01-01T00:00:00.000Z');
const table = tableOfTests();
const steps = stepsIn(table, now);

const due = async (id: string, count: number, way: Way = 'merge') => {
  for (let index = 0; index < count; index++) {
    const incoming = {
      role: 'system' as const,
      author: 'run_later',
      text: `Due ${index}`,
      scheduled: { tool: 'look', arguments: '{}' },
    };
    await changeConversation(table, id, (meta) => ({ ...append(meta, incoming, now, way), answer: undefined }));
  }
};
const metaOf = async (id: string) => (await readMeta(table, id)) as Meta;
const next = (at: SegmentInput) => ({ ...at, step: at.step + 1 });

test('those that wait for the end of the run do not block earlier messages', async () => {
  const { id, at } = await steps.given();
  await steps.begin(at, 'lost');
  await due(id, 20, 'queue');
  await due(id, 2);
  const draft = await steps.begin(at);
  await steps.commit(at, draft, { text: 'One thing.', toolCalls: [] });
  const after = await steps.begin(next(at));
  expect(after.scheduled).toHaveLength(2);
  expect(await metaOf(id)).toMatchObject({ pending: [], queued: { length: 20 }, scheduled: { length: 20 } });
});

test('a message at that moment interrupts nothing: the calls are made', async () => {
  const { id, at } = await steps.given();
  await due(id, 1);
  const draft = await steps.begin(at);
  const said = { role: 'user' as const, author: 'ada', text: 'Stop talking' };
  await changeConversation(table, id, (meta) => ({ ...append(meta, said, now, 'interrupt'), answer: undefined }));
  const { run, pending } = await metaOf(id);
  expect(run).toMatchObject({ segment: 1, draft: { writer: draft.writer, scheduled: draft.scheduled } });
  expect(pending).toHaveLength(1);
});
