import { lookingAgent, stepsIn } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { metadataBytes } from '../../base/state/given';
import { traceContextIn } from '../../base/state/trace';
import { viewConversation } from '../../people/views/view';
import { key } from '../rows/keys';
import { bytesOf } from '../rows/size';
import { createConversation } from '../runs/conversation';
import { changeConversation } from '../store/change-conversation';
import { readMeta, readRow } from '../store/table';
import { forkConversation } from './fork';
import { sendMessage } from './send-message';

const now = new Date('2026-03-01T08:00:00Z');
/** Each character has three bytes. The API takes texts and instructions of this length. */
const long = '字'.repeat(100_000);
/** The longest that is kept of a request's headers. */
const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const tracestate = [1, 2].map((key) => `k${key}=${'x'.repeat(252)}`).join();
const caller = traceContextIn(traceparent, tracestate)!;
const metadata = { note: '字'.repeat(Math.floor(metadataBytes / 3) - 10) };

describe('with the longest texts that the API takes, META stays below 4 KB (R260)', () => {
  const table = tableOfTests();
  const steps = stepsIn(table, now);
  const metaBytes = async (id: string) => bytesOf(await readRow(table, id, key.meta));

  test('in a conversation with metadata, which its functions and its user read', async () => {
    const start = { id: 'm', user: 'ada', agent: lookingAgent.name, text: long, metadata, caller };
    await createConversation(table, start, now);
    await sendMessage(table, new Map(), 'm', { user: 'ada', text: long, caller }, now);
    expect(caller.tracestate).toHaveLength(511);
    // As if it waited for the next run.
    await changeConversation(table, 'm', (meta) => ({ meta: { ...meta, caller }, answer: undefined }));
    expect(await metaBytes('m')).toBeLessThan(4_000);
    expect(await readMeta(table, 'm')).toMatchObject({ metadata, lastSeq: 2 });
    expect(await viewConversation(table, 'm', 'ada')).toMatchObject({ metadata });
  });

  test('with as many unread messages as it takes, late in its life', async () => {
    const locale = { timeZone: 'America/Argentina/ComodRivadavia', language: 'zh-Hant-TW' };
    const start = {
      id: 'u',
      user: 'a'.repeat(128),
      agent: lookingAgent.name,
      text: long,
      locale,
      metadata: { a: 1 },
      caller,
    };
    const { meta } = await createConversation(table, start, now);
    const pending = Array.from({ length: 300 }, (_, index) => 1_000_000 + index);
    const late = { ...meta, pending, lastSeq: 1_000_300, lastUserSeq: 1_000_300, title: '字'.repeat(60) };
    await changeConversation(table, 'u', (current) => ({
      meta: { ...late, version: current.version },
      answer: undefined,
    }));
    const full = sendMessage(table, new Map(), 'u', { user: start.user, text: 'More' }, now);
    await expect(full).rejects.toMatchObject({ name: 'WrongState' });
    expect(await metaBytes('u')).toBeLessThan(4_000);
  });

  test('in a fork with another text and other instructions, through all its writes', async () => {
    await createConversation(table, { id: 'f', user: 'ada', agent: lookingAgent.name, text: 'Hello', metadata }, now);
    const at = { conversationId: 'f', runId: (await readMeta(table, 'f'))!.run!.id, segment: 1, step: 1 };
    await steps.commit(at, await steps.begin(at), { text: 'Hi.', toolCalls: [] });
    const fork = { from: 'f', id: 'g', user: 'ada', step: 1, text: long, instructions: long };
    expect((await forkConversation(table, fork, now)).status).toBe('running');
    expect(await readMeta(table, 'g')).toMatchObject({ metadata, overrides: { instructions: long } });
    expect(await metaBytes('g')).toBeLessThan(4_000);
    const next = { conversationId: 'g', runId: (await readMeta(table, 'g'))!.run!.id, segment: 1, step: 1 };
    await steps.commit(next, await steps.begin(next), { text: 'Hi again.', toolCalls: [] });
    expect(await metaBytes('g')).toBeLessThan(4_000);
    expect(await readMeta(table, 'g')).toMatchObject({ status: 'done', overrides: { instructions: long } });
  });
});

describe('a new row that has no room', () => {
  const table = tableOfTests();

  test('is never left out of a change that ends a run: nothing of the change is stored (R260)', async () => {
    await createConversation(table, { id: 'n', user: 'ada', agent: lookingAgent.name, text: 'Hello' }, now);
    const before = (await readMeta(table, 'n'))!;
    const message = {
      seq: 2,
      version: 1,
      role: 'user',
      author: 'ada',
      status: 'complete',
      createdAt: now.toISOString(),
    };
    const put = { ...message, text: long, heard: long };
    const changed = changeConversation<void>(
      table,
      'n',
      (meta) => ({
        meta: { ...meta, lastSeq: 2 },
        rows: [{ sk: key.message(2), put, onlyIf: 'absent' }],
        answer: undefined,
      }),
      { ends: true },
    );
    await expect(changed).rejects.toMatchObject({ name: 'UnreadableRow' });
    expect(await readMeta(table, 'n')).toEqual(before);
  });
});
