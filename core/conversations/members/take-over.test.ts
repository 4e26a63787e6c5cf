import { addMember } from '../../../test/support/add-member';
import { segmentOf } from '../../../test/support/segment-of';
import { askTool } from '../../../test/support/stories/asking';
import { scriptedStep } from '../../../test/support/stories/scripted-step';
import { dyingEverywhere } from '../../../test/support/tables/mortal-table';
import { testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { forgetTodos } from '../../../test/support/tables/todos';
import type { LoopInput } from '../../base/state/loop-state';
import { broadcastOf } from '../../people/live/broadcast';
import { countedIn } from '../../people/live/counted';
import { listApprovals } from '../../people/views/approvals';
import { viewConversation } from '../../people/views/view';
import { defineAgent } from '../agent/agent';
import type { Caller } from '../agent/approvers';
import type { ModelRequest, Reply } from '../agent/model';
import { registry } from '../agent/registry';
import { assign } from '../approvals/assign';
import { readCallback } from '../calls/callback';
import { approve } from '../conversation/approve';
import { cancelRun } from '../conversation/cancel';
import { forkConversation } from '../conversation/fork';
import { type SentMessage, sendMessage } from '../conversation/send-message';
import { callbackRow } from '../rows/rows';
import { createConversation } from '../runs/conversation';
import { readMeta, type Table } from '../store/table';
import { acceptOwnership, offerOwnership } from './ownership';
import { roleIn } from './role';

// A person takes a conversation over from its agent, talks in it, and gives it back: through the loop that ships.

const pay = testTool('pay', { effect: 'idempotent', execute: async () => ({ paid: true }) });
const ask = askTool('Which one?');
const shared = { purpose: 'p', instructions: 'i', model: 'm', tools: [pay, ask] };
const desk = defineAgent({
  ...shared,
  name: 'desk',
  people: [
    {
      group: 'helpers',
      purpose: 'Who wants a person.',
      mayStepIn: true as const,
      expiresInSeconds: 86_400,
      escalation: { afterSeconds: 3_600, to: { group: 'leads' } },
    },
  ],
});
const { people } = desk;
const asking = defineAgent({ ...shared, name: 'asking', people, end: { phrase: 'THE END' } });
const lonely = defineAgent({ ...shared, name: 'lonely' });
const known = registry([desk, asking, lonely]);
const start = new Date('2027-03-01T08:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
const by = (user: string, ...groups: string[]): Caller => ({ user, groups, claims: { name: `The ${user}` } });
const ada = by('ada');
const hal = by('hal', 'helpers');
const hope = by('hope', 'helpers');
const lea = by('lea', 'leads');
const wes = by('wes', 'watchers');
const noSuch = { name: 'NotFound' };
const wrongState = { name: 'WrongState' };

const table = tableOfTests();
let time = start;
let serial = 0;
let asked: ModelRequest[] = [];
beforeEach(() => {
  time = start;
  asked = [];
});

const said = (text: string): Reply => ({ text, toolCalls: [] });
const calls = (...all: [name: string, args: object][]): Reply => ({
  text: 'A person will come.',
  toolCalls: all.map(([name, args], index) => ({ id: `c${index}`, name, arguments: JSON.stringify(args) })),
});
const toPerson: [string, object] = ['hand_off_to_person', { group: 'helpers', reason: 'They want a person.' }];

const invoke = (input: LoopInput, reply: Reply = said('Good.'), on: Table = table) =>
  scriptedStep({ table: on, registry: known, now: () => time, asked }, input, reply);

async function begun(agent = 'desk') {
  const id = `t${++serial}`;
  const { meta } = await createConversation(table, { id, user: 'ada', agent, text: 'A person, please' }, time);
  return { id, input: segmentOf(meta)!.input };
}
async function handedOff(...more: [string, object][]) {
  const { id, input } = await begun();
  const next = await invoke(input, calls(...more, toPerson));
  const callbackId = `${input.runId}.00001.${String(more.length).padStart(2, '0')}`;
  return { id, callbackId, next: next as LoopInput };
}
type Given = Awaited<ReturnType<typeof handedOff>>;

const claim = ({ id: conversationId, callbackId }: Given, who: Caller, to?: string, from?: string, on: Table = table) =>
  assign(on, { conversationId, callbackId, ...who }, { to, from }, time);
const say = ({ id }: { id: string }, who: Caller, text: string, more: Partial<SentMessage> = {}, on: Table = table) =>
  sendMessage(on, known.agents, id, { user: who, text, called: who.claims.name, ...more }, time);
const givesBack = (given: Given, who: Caller, more: Partial<SentMessage> = {}, on: Table = table) =>
  say(given, who, 'They want a new card.', { callbackId: given.callbackId, ...more }, on);
const stepIn = (given: { id: string }, who: Caller, more: Partial<SentMessage> = {}) =>
  say(given, who, 'I know them.', { stepsIn: true, ...more });
const queueOf = async (who: Caller) =>
  (await listApprovals(table, known, who, time)).approvals.map(({ conversationId }) => conversationId);
const metaOf = async ({ id }: { id: string }) => (await readMeta(table, id))!;
const roleOf = async (given: { id: string }, who: Caller) => roleIn(await metaOf(given), who);
const lastItems = () => JSON.stringify(asked.at(-1)!.items);

describe('a hand-off to a person', () => {
  test('waits in the inboxes of the group, and nobody else sees it; after a time those of the escalation do (R228)', async () => {
    const given = await handedOff();
    expect(given.next).toMatchObject({ next: 'callback', call: { callId: given.callbackId } });
    expect(await metaOf(given)).toMatchObject({ status: 'waiting', waitsFor: 'person' });
    expect((await Promise.all([hal, hope, lea, ada].map(queueOf))).map((one) => one.includes(given.id))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    // Who might claim it reads nothing of it before.
    await expect(viewConversation(table, given.id, hal)).rejects.toMatchObject(noSuch);
    await expect(claim(given, lea, 'lea')).rejects.toMatchObject({ name: 'NotAllowed' });
    await expect(claim(given, wes, 'wes')).rejects.toMatchObject(noSuch);
    await expect(claim(given, ada, 'ada')).rejects.toMatchObject({ name: 'NotAllowed' });
    time = after(3_601);
    expect(await queueOf(lea)).toContain(given.id);
    await claim(given, lea, 'lea');
    expect(await roleOf(given, lea)).toBe('member');
  });

  test('is claimed by one: of two at once, one has it; it is released, and taken only on purpose (R228)', async () => {
    const given = await handedOff();
    const both = await Promise.allSettled([claim(given, hal, 'hal'), claim(given, hope, 'hope')]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [has, other] = both[0].status === 'fulfilled' ? [hal, hope] : [hope, hal];
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: wrongState });
    expect([await roleOf(given, has), await roleOf(given, other)]).toEqual(['member', undefined]);
    // A repeated claim, and a release by who does not have it.
    const { version } = await metaOf(given);
    await claim(given, has, has.user);
    expect((await metaOf(given)).version).toBe(version);
    await expect(claim(given, other, undefined)).rejects.toMatchObject(wrongState);
    await expect(claim(given, other, other.user, 'somebody')).rejects.toMatchObject(wrongState);
    await claim(given, other, other.user, has.user);
    expect([await roleOf(given, has), await roleOf(given, other)]).toEqual([undefined, 'member']);
    await claim(given, other, undefined);
    expect(await roleOf(given, other)).toBeUndefined();
    // Given to a colleague.
    await claim(given, hal, 'hope');
    expect(await metaOf(given)).toMatchObject({
      takenBy: { user: 'hope', name: 'The hope', callbackId: given.callbackId },
    });
  });

  test('no agent answers while the person talks with the owner; it reads all of it when it goes on (R228)', async () => {
    const given = await handedOff();
    await say(given, ada, 'Hello? Is somebody there?');
    await claim(given, hal, 'hal');
    await say(given, hal, 'Hello, this is Hal.');
    const { message } = await say(given, ada, 'I lost my card.');
    expect(message).toMatchObject({ aside: true, status: 'complete', mentions: ['hal'] });
    expect(await metaOf(given)).toMatchObject({ status: 'waiting', pending: [] });
    await expect(givesBack(given, ada)).rejects.toMatchObject({ name: 'NotAllowed' });
    await expect(givesBack(given, hope)).rejects.toMatchObject(noSuch);
    const { message: note } = await givesBack(given, hal);
    expect(note).toMatchObject({ about: given.callbackId, status: 'complete' });
    expect(await roleOf(given, hal)).toBeUndefined();
    await expect(say(given, hal, 'One more thing')).rejects.toMatchObject(noSuch);
    expect(await invoke({ ...given.next, step: 1 }, said('A new card is on its way.'))).toMatchObject({ next: 'done' });
    const read = lastItems();
    const order = [
      'given the conversation back',
      'Is somebody there?',
      'this is Hal',
      'I lost my card.',
      'They want a new card.',
    ];
    const places = order.map((words) => read.indexOf(words));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const seen = await viewConversation(table, given.id, 'ada');
    expect(seen).toMatchObject({ status: 'done', calls: [{ status: 'completed' }] });
    expect(seen.takenBy).toBeUndefined();
    // The last word was a person's, who is not the owner: what has an effect is asked about.
    expect(seen.messages.filter(({ author }) => author === 'hal').map(({ sources }) => sources)).toEqual([
      ['member'],
      ['member'],
    ]);
  });

  test('the person ends it: the run is done, the model is not asked, and the execution finds that (R228)', async () => {
    const given = await handedOff();
    await claim(given, hal, 'hal');
    const { meta } = await givesBack(given, hal, { ends: true });
    expect(meta).toMatchObject({ status: 'done', run: { status: 'done' } });
    asked = [];
    expect(await invoke({ ...given.next, step: 1 })).toMatchObject({ next: 'done' });
    expect(asked).toEqual([]);
    const seen = await viewConversation(table, given.id, 'ada');
    expect(seen).toMatchObject({ status: 'done', calls: [{ status: 'completed' }] });
    expect(seen.messages.at(-1)).toMatchObject({ author: 'hal', text: 'They want a new card.' });
    // The next message goes to the agent.
    await say(given, ada, 'Thank you');
    expect(await metaOf(given)).toMatchObject({ status: 'running', pending: [seen.messages.length + 1] });
  });

  test('is the only call of its reply that is made (R228)', async () => {
    const { id } = await handedOff(['pay', {}]);
    const { calls: made } = await viewConversation(table, id, 'ada');
    expect(made).toMatchObject([{ tool: 'pay', status: 'failed' }, { status: 'waiting' }]);
    expect(made[0]!.error).toContain('handed over to a person in the same reply');
  });

  test.each(['cancelled', 'expired'] as const)('that is %s lets the person go at once (R228)', async (how) => {
    const given = await handedOff();
    await claim(given, hal, 'hal');
    if (how === 'cancelled') await cancelRun(table, known.tools, { conversationId: given.id, user: 'ada' }, time);
    else {
      time = after(86_401);
      const failed = { Error: 'States.Timeout', Cause: '' };
      const input = { ...given.next, step: 1, call: { ...given.next.call!, error: failed } } as LoopInput;
      await invoke(input, said('Nobody came.'));
      expect(lastItems()).toContain('No person has taken the conversation over');
    }
    expect(await roleOf(given, hal)).toBeUndefined();
    await expect(givesBack(given, hal)).rejects.toMatchObject(noSuch);
    await expect(claim(given, hal, 'hal')).rejects.toMatchObject({
      name: expect.stringMatching(/AlreadyAnswered|NotFound/),
    });
  });

  test('is no approval, and a fork does not keep the person (R228)', async () => {
    const given = await handedOff();
    await claim(given, hal, 'hal');
    const who = { conversationId: given.id, callbackId: given.callbackId, ...hal };
    await expect(approve(table, known, who, { approved: true }, time)).rejects.toMatchObject({ path: 'callbackId' });
    const fork = (user: Caller) =>
      forkConversation(table, { from: given.id, id: `${given.id}${user.user}`, user, step: 1, text: 'Again' }, time);
    expect(roleIn(await fork(ada), hal)).toBeUndefined();
    // They would have made a conversation in which they are not.
    await expect(fork(hal)).rejects.toMatchObject({ name: 'NotAllowed' });
    expect(await readMeta(table, `${given.id}hal`)).toBeUndefined();
  });

  test('ten people can be mentioned meanwhile, as ever, and the owner hears of it besides (R228)', async () => {
    const given = await handedOff();
    const others = Array.from({ length: 10 }, (_, index) => `user:m${index}`);
    for (const name of others)
      await addMember(table, { conversationId: given.id, by: 'ada' }, name, { role: 'watcher' });
    await claim(given, hal, 'hal');
    const mentions = others.map((name) => name.slice('user:'.length));
    const { message } = await say(given, hal, 'All of you', { mentions });
    expect(message.mentions).toEqual([...mentions, 'ada']);
    await expect(say(given, hal, 'One more', { mentions: [...mentions, 'ada'] })).rejects.toMatchObject({
      path: 'mentions',
    });
  });

  test('who loses it hears nothing more, and what waits is counted (R228)', async () => {
    const given = await handedOff();
    const before = await metaOf(given);
    const rowOf = async () => callbackRow((await readCallback(table, given.id, given.callbackId))!);
    const open = await rowOf();
    time = after(90);
    await claim(given, hal, 'hal');
    const [taken, claimed] = [await metaOf(given), await rowOf()];
    const change = (row: object, was: object) => ({
      conversationId: given.id,
      sk: `CALLBACK#${given.callbackId}`,
      row,
      before: was,
    });
    expect(countedIn(change(claimed, open), undefined)).toMatchObject([
      { values: { PersonWait: 90_000 }, dimensions: { Agent: 'desk' } },
    ]);
    time = after(150);
    await givesBack(given, hal);
    expect(countedIn(change(await rowOf(), claimed), undefined)).toMatchObject([{ values: { PersonTime: 60_000 } }]);
    const of = (row: object, was: object) => [{ conversationId: given.id, sk: 'META', row, before: was }];
    const pushed = (row: object, was: object) => broadcastOf(of(row, was), time).pushes.map(({ topic }) => topic);
    expect(pushed(taken, before)).toContain('LIST#hal');
    const gone = broadcastOf(of(await metaOf(given), taken), time).pushes.filter(({ topic }) => topic === 'LIST#hal');
    expect(gone.flatMap(({ frames }) => frames)).toEqual([
      JSON.stringify({ type: 'deleted', conversationId: given.id }),
    ]);
  });
});

describe('a person who steps in', () => {
  test('has the conversation after the next step, which asks no model (R228)', async () => {
    const { id, input } = await begun();
    await invoke(input);
    asked = [];
    await expect(stepIn({ id }, wes)).rejects.toMatchObject(noSuch);
    await expect(stepIn({ id }, ada)).rejects.toMatchObject({ name: 'NotAllowed' });
    await stepIn({ id }, hal, { clientMessageId: 'once' });
    await stepIn({ id }, hal, { clientMessageId: 'once' });
    expect(await roleOf({ id }, hal)).toBeUndefined();
    const next = await invoke(segmentOf(await metaOf({ id }))!.input);
    expect([next.next, asked]).toEqual(['callback', []]);
    expect(await metaOf({ id })).toMatchObject({ waitsFor: 'person', takenBy: { user: 'hal', name: 'The hal' } });
    expect(await roleOf({ id }, hal)).toBe('member');
    // The first answer was lost: the repeat is recognized although they have the conversation already (R268).
    await stepIn({ id }, hal, { clientMessageId: 'once' });
    await expect(stepIn({ id }, hope)).rejects.toMatchObject(wrongState);
    await say({ id }, hal, 'It is me.');
    await givesBack({ id, callbackId: next.call!.callId, next: next as LoopInput }, hal);
    expect(await metaOf({ id })).toMatchObject({ status: 'running' });
  });

  test('withdraws what waits for the owner, and the agent reads why (R228)', async () => {
    const { id, input } = await begun();
    await asMemberSays(id);
    const waits = await invoke(input, calls(['pay', {}]));
    expect(waits).toMatchObject({ next: 'approval' });
    await stepIn({ id }, hal);
    const next = await invoke({ ...waits, step: 1 } as LoopInput);
    expect(next).toMatchObject({ next: 'callback' });
    const { calls: made } = await viewConversation(table, id, 'ada');
    expect(made).toMatchObject([
      { tool: 'pay', status: 'cancelled', error: expect.stringContaining('A person has taken the conversation over') },
      { tool: 'hand_off_to_person', status: 'waiting' },
    ]);
  });

  test.each([
    ['by a tool', 'desk', calls(['ask', {}])],
    ['in words', 'asking', said('Which one?')],
  ])('does not answer a question %s in the place of the owner (R228)', async (_how, agent, reply) => {
    const { id, input } = await begun(agent);
    expect(await invoke(input, reply)).toMatchObject({ next: 'callback' });
    const { message } = await stepIn({ id }, hal);
    expect(message.callId).toBeUndefined();
    asked = [];
    expect(await invoke({ ...input, step: 1 })).toMatchObject({ next: 'callback' });
    expect(asked).toEqual([]);
    expect(await metaOf({ id })).toMatchObject({ takenBy: { user: 'hal' }, pending: [] });
  });

  /** So that `pay` asks. */
  async function asMemberSays(id: string): Promise<void> {
    await addMember(table, { conversationId: id, by: 'ada' }, 'user:wes', { role: 'member' });
    await say({ id }, wes, 'Pay it.');
  }

  test('may not where the agent names nobody who may, nor twice at once (R228)', async () => {
    const { id, input } = await begun('lonely');
    await invoke(input);
    await expect(stepIn({ id }, hal)).rejects.toMatchObject(noSuch);
    const given = await handedOff();
    await expect(stepIn(given, hal)).rejects.toMatchObject(wrongState);
  });
});

test('what a former owner has written is not the word of the one who owns the conversation now (R227)', async () => {
  const { id, input } = await begun('lonely');
  await invoke(input);
  const other = await begun('lonely');
  expect(await invoke(other.input, calls(['pay', {}]))).toMatchObject({ next: 'tool:pay' });
  await addMember(table, { conversationId: id, by: 'ada' }, 'user:wes', { role: 'member' });
  await forgetTodos(table, id);
  await offerOwnership(table, { conversationId: id, by: 'ada' }, 'wes');
  await acceptOwnership(table, { conversationId: id, by: 'wes' }, time);
  await say({ id }, wes, 'Go on.');
  expect(await invoke(segmentOf(await metaOf({ id }))!.input, calls(['pay', {}]))).toMatchObject({ next: 'approval' });
  expect(lastItems()).toContain('\\"ada\\", a member of this conversation who is not its owner, says');
});

test.each<[string, boolean, (given: Given, on: Table) => Promise<unknown>]>([
  ['claims', false, (given, on) => claim(given, hal, 'hal', undefined, on)],
  ['gives it back', true, (given, on) => givesBack(given, hal, {}, on)],
  ['ends it', true, (given, on) => givesBack(given, hal, { ends: true }, on)],
])('a process that dies %s wholly or not at all (R228)', (_name, isClaimed, act) =>
  dyingEverywhere(table, async (dies) => {
    const given = await handedOff();
    if (isClaimed) await claim(given, hal, 'hal');
    const rows = async () => [await metaOf(given), (await readCallback(table, given.id, given.callbackId))!] as const;
    const before = JSON.stringify(await rows());
    const died = await dies((on) => act(given, on));
    const now = await rows();
    const isUndone = JSON.stringify(now) === before;
    const [{ takenBy }, { assigned, status }] = now;
    const isDone = isClaimed ? takenBy === undefined && status === 'answered' : takenBy?.user === assigned?.to;
    expect([died && isUndone, isDone]).toContain(true);
    if (isUndone) await act(given, table);
  }),
);

const helpers = { group: 'helpers', purpose: 'p' };
test.each<[object[], string]>([
  [[{ group: 'two words' }], 'people[0].group: use 1 to 128 characters without spaces'],
  [
    [{ escalation: { afterSeconds: 1, to: { group: 'x' } } }],
    'people[0].escalation.afterSeconds: must be a whole number',
  ],
  [[{ expiresInSeconds: 0 }], 'people[0].expiresInSeconds: must be a whole number'],
  [[{ mayStepIn: 'yes' }], 'people[0].mayStepIn'],
  [[{}, {}], 'people[1].group: helpers is listed twice'],
])('an agent with people who cannot come is refused: %j (R228)', (wrong, words) => {
  const people = wrong.map((one) => ({ ...helpers, ...one })) as never;
  expect(() => defineAgent({ ...shared, name: 'wrong', people })).toThrow(`agent wrong: ${words}`);
});
