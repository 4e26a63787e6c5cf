import type { LoopInput } from '../../core/base/state/loop-state';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { ModelRequest } from '../../core/conversations/agent/model';
import { registry, versionOf } from '../../core/conversations/agent/registry';
import { deleteConversation } from '../../core/conversations/conversation/delete';
import { forkConversation } from '../../core/conversations/conversation/fork';
import { sendMessage } from '../../core/conversations/conversation/send-message';
import { removeMember } from '../../core/conversations/members/members';
import { key } from '../../core/conversations/rows/keys';
import { createConversation } from '../../core/conversations/runs/conversation';
import { readMeta, readRow, type Table, write } from '../../core/conversations/store/table';
import { finishedBy } from '../../core/people/live/finished';
import { viewConversation } from '../../core/people/views/view';
import { addMember } from '../../test/support/add-member';
import { segmentOf } from '../../test/support/segment-of';
import { scriptedStep } from '../../test/support/stories/scripted-step';
import { dyingEverywhere, isWrite, overtaken } from '../../test/support/tables/mortal-table';
import { tableOfTests } from '../../test/support/tables/table';
import { feedbackIn } from './counted';
import { type Given, giveFeedback } from './give-feedback';

const spec = { purpose: 'p', instructions: 'You help.', model: 'm', tools: [] };
const helper = defineAgent({ ...spec, name: 'helper' });
const known = registry([helper]);
const now = new Date('2027-03-01T08:00:00.000Z');
const at = now.toISOString();
const reply = 2;

const table = tableOfTests();
let serial = 0;
const asked: ModelRequest[] = [];
const step = (input: LoopInput) =>
  scriptedStep({ table, registry: known, now: () => now, asked }, input, { text: 'In June.', toolCalls: [] });

/** A conversation with a question and its reply; `ben` is a member, `wes` watches. */
async function given(): Promise<string> {
  const id = `fb${++serial}`;
  const { meta } = await createConversation(table, { id, user: 'ada', agent: 'helper', text: 'When?' }, now);
  await step(segmentOf(meta)!.input);
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:ben', { role: 'member' });
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:wes', { role: 'watcher' });
  return id;
}
const give = (id: string, by: string, what: Given, seq = reply, on: Table = table) =>
  giveFeedback(on, { conversationId: id, seq, by }, what, now);
const feedbackOf = async (id: string, seq = reply) =>
  (await viewConversation(table, id, 'ada')).messages.find((one) => one.seq === seq)?.feedback;
const down: Given = { verdict: 'down', reason: 'It was May.' };

test('each person has one entry, the last one counts, and nothing takes it back (R235)', async () => {
  const id = await given();
  await Promise.all([give(id, 'ada', { verdict: 'up' }), give(id, 'ben', down), give(id, 'ada', down)]);
  await give(id, 'ada', { verdict: 'up', dataset: true });
  expect((await feedbackOf(id))!.toSorted((a, b) => (a.user < b.user ? -1 : 1))).toEqual([
    { user: 'ada', verdict: 'up', dataset: true, at },
    { ...down, user: 'ben', at },
  ]);
  await give(id, 'ada', {});
  expect(await feedbackOf(id)).toEqual([{ ...down, user: 'ben', at }]);
  await give(id, 'ben', {});
  expect(await readRow(table, id, key.message(reply))).not.toHaveProperty('feedback');
});

test('a repeated request writes nothing (R235)', async () => {
  const id = await given();
  await give(id, 'ben', down);
  const rows = async () => [await readMeta(table, id), await readRow(table, id, key.message(reply))];
  const before = await rows();
  await give(id, 'ben', down);
  await give(id, 'ada', {});
  expect(await rows()).toEqual(before);
});

test('strangers find nothing, watchers may not, and neither may who was removed (R225, R235)', async () => {
  const id = await given();
  await expect(give(id, 'eve', down)).rejects.toMatchObject({ name: 'NotFound' });
  await expect(give(id, 'wes', down)).rejects.toMatchObject({ name: 'NotAllowed' });
  // The person is removed while the request is on its way.
  const removes = () => removeMember(table, { conversationId: id, by: 'ada' }, 'user:ben', now);
  const late = overtaken(table, isWrite, removes);
  await expect(give(id, 'ben', down, reply, late)).rejects.toMatchObject({ name: 'NotFound' });
  expect(await feedbackOf(id)).toBeUndefined();
});

test.each<[string, number, Given, object]>([
  ['a message that is not there', 9, down, { name: 'NotFound' }],
  ['a verdict on a person’s words', 1, down, { path: 'verdict' }],
  ['a reason alone', reply, { reason: 'So.' }, { path: 'reason' }],
])('%s is refused (R235)', async (_what, seq, what, refusal) => {
  const id = await given();
  await expect(give(id, 'ada', what, seq)).rejects.toMatchObject(refusal);
  expect(await feedbackOf(id)).toBeUndefined();
});

test('any message can become a case, but for one that nobody has read (R235)', async () => {
  const id = await given();
  await give(id, 'ada', { dataset: true, reason: 'It is hard.' }, 1);
  expect(await feedbackOf(id, 1)).toEqual([{ user: 'ada', dataset: true, reason: 'It is hard.', at }]);
  await sendMessage(table, known.agents, id, { user: 'ada', text: 'And then?' }, now);
  await expect(give(id, 'ada', { dataset: true }, 3)).rejects.toMatchObject({ name: 'WrongState' });
});

test('the model never reads it, and a fork does not have it (R235)', async () => {
  const id = await given();
  await give(id, 'ben', { ...down, reason: 'ZEBRA' });
  const { meta } = await sendMessage(table, known.agents, id, { user: 'ada', text: 'And then?' }, now);
  await step(segmentOf(meta)!.input);
  expect(JSON.stringify(asked.at(-1)!.items)).toContain('In June.');
  expect(JSON.stringify(asked)).not.toContain('ZEBRA');
  await forkConversation(table, { from: id, id: `${id}-fork`, user: 'ada', step: 1, runId: meta.run!.id }, now);
  const fork = await viewConversation(table, `${id}-fork`, 'ada');
  expect(fork.messages.map(({ seq }) => seq)).toContain(reply);
  expect(JSON.stringify(fork)).not.toContain('ZEBRA');
});

test('it ends with its conversation, in which nobody gives any more (R235)', async () => {
  const id = await given();
  await give(id, 'ben', down);
  await deleteConversation(table, known.tools, id, 'ada', now);
  expect(await readRow(table, id, key.message(reply))).toMatchObject({ ttl: expect.any(Number) });
  await expect(give(id, 'ben', { verdict: 'up' })).rejects.toMatchObject({ name: 'NotFound' });
});

test('what has no room in the message is refused (R235)', async () => {
  const id = await given();
  const set = { text: 'x'.repeat(398_000) };
  await write(table, id, [{ sk: key.message(reply), set, onlyIf: { status: 'complete' } }]);
  await give(id, 'ada', { verdict: 'down' });
  const refused = await give(id, 'ada', { verdict: 'down', reason: '€'.repeat(1_000) }).catch(({ path }) => path);
  expect(refused).toBe('reason');
});

test('a process that dies has stored it wholly or not at all (R235)', () =>
  dyingEverywhere(table, async (dies) => {
    const id = await given();
    await dies((on) => give(id, 'ben', down, reply, on));
    expect([undefined, [{ ...down, user: 'ben', at }]]).toContainEqual(await feedbackOf(id));
    await give(id, 'ben', down);
    expect(await feedbackOf(id)).toEqual([{ ...down, user: 'ben', at }]);
  }));

describe('verdicts are counted', () => {
  test('by agent, version and model; one that is taken back or changed counts the other way (R171, R235)', async () => {
    const id = await given();
    const sk = key.message(reply);
    const counted = async (work: () => Promise<unknown>) => {
      const before = (await readRow(table, id, sk))!;
      await work();
      const change = { conversationId: id, sk, row: (await readRow(table, id, sk))!, before };
      // No event is made again.
      expect(finishedBy(change)).toBeUndefined();
      return feedbackIn(change);
    };
    const [first] = await counted(() => give(id, 'ben', { ...down, reason: 'ZEBRA' }));
    expect(first).toMatchObject({
      what: 'feedback',
      values: { ThumbsDown: 1 },
      dimensions: { Agent: 'helper' },
      ids: { conversationId: id, seq: reply, model: 'scripted', agentVersion: versionOf(helper), step: 1 },
    });
    expect(JSON.stringify(first)).not.toContain('ZEBRA');
    expect(await counted(() => give(id, 'ben', down))).toEqual([]);
    expect(await counted(() => give(id, 'ben', { verdict: 'up' }))).toMatchObject([
      { values: { ThumbsUp: 1, ThumbsDown: -1 } },
    ]);
    expect(await counted(() => give(id, 'ben', { dataset: true }))).toMatchObject([{ values: { ThumbsUp: -1 } }]);
  });

  test('the version of an agent changes with what its model is told, and not with the model (R235)', () => {
    const agent = (more: object) => versionOf(defineAgent({ ...spec, name: 'helper', ...more }));
    expect(agent({})).toMatch(/^[0-9a-f]{12}$/);
    expect(agent({ model: 'other' })).toBe(agent({}));
    expect(new Set([{}, { instructions: 'You do not help.' }, { delegates: ['x'] }].map(agent)).size).toBe(3);
    expect(versionOf(helper, 'Replaced.')).toBe(agent({ instructions: 'Replaced.' }));
    expect(agent({ instructions: () => 'a' })).not.toBe(agent({ instructions: () => 'b' }));
  });
});
