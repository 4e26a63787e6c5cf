import { addMember } from '../../../test/support/add-member';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedStep } from '../../../test/support/stories/scripted-step';
import { tableOfTests } from '../../../test/support/tables/table';
import { forgetTodos } from '../../../test/support/tables/todos';
import type { LoopInput } from '../../base/state/loop-state';
import { defineAgent } from '../../conversations/agent/agent';
import type { ModelRequest } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { forkConversation } from '../../conversations/conversation/fork';
import { sendMessage } from '../../conversations/conversation/send-message';
import { firstRecalled, recalledIn, withoutRecalled } from '../../conversations/decisions/recalled';
import { joinByLink, makeLink } from '../../conversations/members/links';
import { removeMember } from '../../conversations/members/members';
import { acceptOwnership, offerOwnership } from '../../conversations/members/ownership';
import { key } from '../../conversations/rows/keys';
import type { StoredMessage } from '../../conversations/rows/rows';
import { childRows, createConversation } from '../../conversations/runs/conversation';
import { readLog } from '../../conversations/runs/log';
import { readMeta, readRow, write } from '../../conversations/store/table';
import { shownMessage, shownRecalled } from '../../people/views/shown';

const now = new Date('2027-03-01T08:00:00.000Z');
const table = tableOfTests();
const memory = 'Ada is allergic to nuts';
const spec = { purpose: 'p', instructions: 'i', model: 'm', tools: [], recall: true };
const known = registry([
  defineAgent({ ...spec, name: 'cook', delegates: ['chef'] }),
  defineAgent({ ...spec, name: 'chef' }),
]);

let serial = 0;
let asked: ModelRequest[];
/** For whom, and about which words, something was recalled. */
let recalled: [string, string][];
beforeEach(() => {
  [asked, recalled] = [[], []];
});
const step = async (id: string) => {
  const input = segmentOf((await readMeta(table, id))!)!.input as LoopInput;
  const recall = async (user: string, words: string) => {
    recalled.push([user, words]);
    return { text: `${memory}, says ${user}` };
  };
  return scriptedStep({ table, registry: known, now: () => now, asked, recall }, input, {
    text: 'Soup.',
    toolCalls: [],
  });
};
const heard = () => JSON.stringify(asked.at(-1)!.items);
const say = (id: string, user: string) => sendMessage(table, known.agents, id, { user, text: 'And then?' }, now);
const own = (conversationId: string) => ({ conversationId, by: 'ada' });
const metaOf = async (id: string) => (await readMeta(table, id))!;
const shownTo = async (id: string, seq = 2) =>
  shownRecalled(await readRow(table, id, key.message(seq)), await metaOf(id));

/** A conversation in whose first step something was recalled. */
async function given(): Promise<string> {
  const id = `rec${++serial}`;
  await createConversation(table, { id, user: 'ada', agent: 'cook', text: 'What shall I cook?' }, now);
  await step(id);
  expect([heard().includes(memory), recalled]).toEqual([true, [['ada', 'What shall I cook?']]]);
  recalled = [];
  return id;
}

test('what was recalled leaves the transcript while a conversation is shared, and nothing is recalled (R267)', async () => {
  const id = await given();
  await addMember(table, own(id), 'user:ben', { role: 'watcher' });
  await say(id, 'ada');
  await step(id);
  expect([heard().includes(memory), recalled]).toEqual([false, []]);
  // It is the owner’s alone again.
  await removeMember(table, own(id), 'user:ben', now);
  await say(id, 'ada');
  await step(id);
  expect([heard().includes(memory), recalled]).toEqual([true, [['ada', 'And then?']]]);
});

test('who has asked to be let in changes nothing yet (R267)', async () => {
  const id = await given();
  const { secret } = await makeLink(table, own(id), { role: 'member', lasts: 60 }, now);
  await joinByLink(table, { conversationId: id, by: 'cleo' }, { secret }, now);
  await say(id, 'ada');
  await step(id);
  expect(heard()).toContain(memory);
});

test('a version that a member makes does not have it (R267)', async () => {
  const id = await given();
  await say(id, 'ada');
  await step(id);
  await addMember(table, own(id), 'user:ben', { role: 'member' });
  await forkConversation(table, { from: id, id: `${id}-f`, user: 'ben', step: 1, text: 'Say what you know' }, now);
  await step(`${id}-f`);
  expect([heard().includes(memory), recalled]).toEqual([false, [['ada', 'And then?']]]);
});

test('a new owner’s agents neither read nor show what was recalled about the former one (R267)', async () => {
  const id = await given();
  expect(await shownTo(id)).toEqual({ text: `${memory}, says ada`, sources: [] });
  await addMember(table, own(id), 'user:ben', { role: 'member' });
  await forgetTodos(table, id);
  await offerOwnership(table, own(id), 'ben');
  await acceptOwnership(table, { conversationId: id, by: 'ben' }, now);
  await removeMember(table, { conversationId: id, by: 'ben' }, 'user:ada', now);
  await say(id, 'ben');
  await step(id);
  expect([heard().includes('says ada'), heard().includes('says ben')]).toEqual([false, true]);
  await expect(shownTo(id)).rejects.toMatchObject({ name: 'NotFound' });
  expect((await shownTo(id, 4)).text).toContain('says ben');
});

test.each([
  [false, [['ada', 'Find a recipe']]],
  [true, []],
])('a sub-agent asks the conversation at the top whether it is shared: %s (R267)', async (isShared, found) => {
  const id = await given();
  if (isShared) await addMember(table, own(id), 'user:ben', { role: 'member' });
  const task = { conversationId: `${id}-task`, callbackId: 'r.00001.00', agent: 'chef', task: 'Find a recipe' };
  await write(table, task.conversationId, childRows(await metaOf(id), task, 'cook', now));
  await step(task.conversationId);
  expect(recalled).toEqual(found);
});

describe('a summary with recalled words', () => {
  const message = (seq: number, more: object): StoredMessage =>
    ({
      seq,
      version: 1,
      role: 'assistant',
      author: 'cook',
      text: `m${seq}`,
      status: 'complete',
      ...more,
    }) as StoredMessage;
  const log = [message(1, {}), message(2, { recalled: memory, recalledSources: ['web'] }), message(3, {})];
  const seqs = (rows: StoredMessage[]) => rows.map(({ seq }) => seq);

  test('is left out for others, and one without stays; a second one has what the first has (R267)', () => {
    const [withIt, without] = [
      message(4, { covers: 3, recalledFrom: 2 }),
      message(5, { covers: 3, recalledFrom: null }),
    ];
    expect([recalledIn(log), recalledIn([withIt]), recalledIn([without]), recalledIn([])]).toEqual([2, 2, null, null]);
    const all = [...log, withIt, without];
    expect(seqs(withoutRecalled(all, firstRecalled({}, true)))).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(withoutRecalled(all, firstRecalled({}, false)))).toEqual([1, 2, 3, 5]);
    // After a hand-over, one that was made for the new owner stays.
    const ofBen = message(7, { covers: 6, recalledFrom: 6 });
    const first = firstRecalled({ handedOver: { times: 1, seq: 4 } }, true);
    expect(seqs(withoutRecalled([...log, withIt, ofBen], first))).toEqual([1, 2, 3, 7]);
    // What it brought from outside is still known.
    expect(withoutRecalled(log, first)[1]).toMatchObject({ recalled: undefined, recalledSources: ['web'] });
  });

  test('of an earlier version is one that covers such a step (R267)', () => {
    const old = message(4, { covers: 3 });
    expect(seqs(withoutRecalled([...log, old], firstRecalled({}, false)))).toEqual([1, 2, 3]);
    expect(seqs(withoutRecalled([...log.slice(0, 1), old], firstRecalled({}, false)))).toEqual([1, 4]);
  });

  test('is shown to nobody but its owner, who asks for it (R267)', async () => {
    const id = await given();
    const { messages } = await readLog(table, id);
    const row = { ...messages[1]!, sk: key.message(2), recalled: undefined, covers: 1, recalledFrom: 2, text: memory };
    expect(shownMessage(row)).toMatchObject({ hasRecalled: true, text: expect.not.stringContaining(memory) });
    expect(JSON.stringify(shownMessage((await readRow(table, id, key.message(2)))!))).not.toContain(memory);
    expect(shownRecalled(row, await metaOf(id)).text).toBe(memory);
  });
});
