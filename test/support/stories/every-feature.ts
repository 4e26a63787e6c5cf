import type { AgentSpec, Limits, MessagePolicy } from '../../../core/conversations/agent/agent';
import type {
  Approval,
  CallbackTool,
  DelegateTool,
  Effect,
  FunctionTool,
  HandOffTool,
  Needs,
  People,
  PersonTool,
  Tool,
  WaitTool,
  Webhook,
} from '../../../core/conversations/agent/tool';
import type { Guard } from '../../../core/conversations/guards/guard';
import { userId } from '../../../local/http-api/identity';
import { shipped } from '../../agents';
import type { User } from '../api-client';
import type { Conversation } from '../api-types';
import type { Vigil } from '../clouds/vigil';
import type { ThirdParty } from '../servers/third-party';
import { deliver } from '../servers/webhook';
import { wordsOf } from './transcript';

// Every field of a definition, and the story in which a person plays it without a key, by commands. A field that nothing plays does
// not compile.

export interface Stage {
  vigil: Vigil;
  ada: User;
  party: ThirdParty;
}
/** Plays with an agent, and returns how it ends. */
interface Story {
  agent: string;
  /** The tool that is played. */
  tool?: string;
  /** How the conversation ends: `done`, unless its point is another end. */
  ends?: 'limited' | 'cancelled';
  play(stage: Stage): Promise<Conversation>;
}

/** A story of one message. */
const says = (agent: string, text: string | ((stage: Stage) => string), tool?: string): Story => ({
  agent,
  tool,
  async play(stage) {
    const { id } = await stage.ada.start(agent, typeof text === 'string' ? text : text(stage));
    return stage.ada.finished(id);
  },
});
const lastWords = (conversation: Conversation): string => wordsOf(conversation).at(-1)![1]!;
const resultOf = ({ calls }: Conversation, tool: string): unknown => calls.findLast((one) => one.tool === tool)?.result;
const pending = ({ callbacks }: Conversation) => callbacks.find(({ status }) => status === 'pending')!;
const inHours = async ({ vigil }: Stage, hours: number): Promise<string> =>
  new Date((await vigil.now()).getTime() + hours * 3_600_000).toISOString();
const answeredAfter = (seq: number) => (conversation: Conversation) =>
  conversation.status === 'done' && conversation.messages.at(-1)!.seq > seq;
/** The address that the third party has got last. */
const addressAt = ({ party }: Stage): string => (party.bodies.at(-1) as { webhookUrl: string }).webhookUrl;

const pays = says(
  'tester',
  ({ party }) => `/call current_time\n/say I pay.\n/call pay {"url": "${party.url}", "cents": 5}\n/say Paid.`,
  'pay',
);
const retries: Story = {
  agent: 'tester',
  tool: 'hit',
  async play({ ada, party }) {
    party.failNext(503);
    const { id } = await ada.start('tester', `/call hit {"url": "${party.url}/retried"}`);
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([{ status: 'completed', attempts: 2 }]);
    return done;
  },
};
const cuts: Story = {
  ...says('tester', '/call stranger {"way": "long", "table": "", "conversation": "", "function": ""}', 'stranger'),
};
const calculates = says('calculator', '/call run_code {"code": "6 * 7"}', 'run_code');
const reminds: Story = {
  agent: 'tester',
  tool: 'list_timers',
  async play(stage) {
    const { ada, vigil } = stage;
    const at = await inHours(stage, 1);
    const arranged = `/call remind_later {"message": "Time to stretch.", "at": "${at}"}\n/say Arranged.\n/call list_timers`;
    const { id } = await ada.start('tester', arranged);
    const listed = await ada.finished(id);
    expect(resultOf(listed, 'list_timers')).toMatchObject({ timers: [{ text: 'Time to stretch.' }] });
    await vigil.advance('PT1H');
    const told = await ada.until(id, answeredAfter(listed.messages.at(-1)!.seq));
    expect(lastWords(told)).toMatch(/^I was told: .*Time to stretch\./);
    return told;
  },
};
const paysFar = says('tester', ({ party }) => `/call pay_far {"url": "${party.url}", "cents": 6}`, 'pay_far');
const notifies = says('reminder', '/call reminder {"message": "Time to go."}', 'reminder');
const asksOfServer: Story = {
  agent: 'connected',
  tool: 'guarded__trigger_elicitation_request',
  async play({ ada }) {
    const { id } = await ada.start('connected', '/call guarded__trigger_elicitation_request');
    const question = pending(await ada.waiting(id));
    const form = { ...(question.arguments as object), name: 'Ada' };
    await ada.answer(id, question.id, { approved: true, arguments: form });
    const done = await ada.finished(id);
    expect(lastWords(done)).toContain('Name: Ada');
    return done;
  },
};
const approvedByOthers: Story = {
  agent: 'cashier',
  tool: 'refund',
  async play({ ada, vigil }) {
    const fay = await vigil.user('fay', ['finance']);
    const { id } = await ada.start('cashier', '/call refund {"cents": 500}');
    const question = pending(await ada.waiting(id));
    await expect(ada.answer(id, question.id, { approved: true })).rejects.toThrow();
    const { approvals } = (await fay.request('GET', '/approvals')).body as { approvals: { messages: object[] }[] };
    expect(approvals.at(-1)!.messages).toMatchObject([{ text: '/call refund {"cents": 500}' }]);
    await fay.answer(id, question.id, { approved: true });
    const done = await ada.finished(id);
    expect(lastWords(done)).toBe('refund answered: {"refunded":500}');
    return done;
  },
};
const approvedBySeveral: Story = {
  agent: 'cashier',
  tool: 'pay_claim',
  async play({ ada, vigil }) {
    const { id } = await ada.start('cashier', '/call pay_claim {"cents": 700}');
    const asked = pending(await ada.waiting(id));
    await vigil.advance('PT8H');
    await ada.until(id, (now) => pending(now).toldAt !== undefined);
    for (const [name, group] of [
      ['fay', 'finance'],
      ['fred', 'finance'],
      ['cleo', 'controllers'],
    ] as const)
      await (await vigil.user(name, [group])).answer(id, asked.id, { approved: true });
    const done = await ada.finished(id);
    expect(lastWords(done)).toBe('pay_claim answered: {"paid":700}');
    return done;
  },
};
const allowedForLater: Story = {
  agent: 'gullible',
  tool: 'transfer',
  async play({ ada }) {
    const pay = '/call transfer {"to": "Cleo", "amount_cents": 70000, "purpose": "Rent"}';
    const first = await ada.start('gullible', pay);
    const standing = { calls: 1, days: 30, money: { amount_cents: { perCall: 70_000, inAll: 70_000 } } };
    await ada.answer(first.id, pending(await ada.waiting(first.id)).id, { approved: true, standing });
    await ada.finished(first.id);
    const { id } = await ada.start('gullible', pay);
    const done = await ada.finished(id);
    expect(done.callbacks).toEqual([]);
    return done;
  },
};
const approvedLate: Story = {
  agent: 'tester',
  tool: 'pay',
  async play({ ada, vigil, party }) {
    const { id } = await ada.start('tester', `/call pay {"url": "${party.url}", "cents": 20000}`);
    expect(pending(await ada.waiting(id)).prompt).toBe('Pay?');
    await vigil.advance('P4D');
    const done = await ada.finished(id);
    expect(lastWords(done)).toContain('Nobody approved the payment within three days');
    return done;
  },
};
const transfers: Story = {
  agent: 'gullible',
  tool: 'transfer',
  async play({ ada }) {
    const { id } = await ada.start(
      'gullible',
      '/call transfer {"to": "Ada", "amount_cents": 90000, "purpose": "Rent"}',
    );
    const question = pending(await ada.waiting(id));
    expect(question).toMatchObject({ kinds: { to: expect.any(String) } });
    await ada.answer(id, question.id, { approved: true });
    return ada.finished(id);
  },
};
const reads: Story = {
  agent: 'gullible',
  tool: 'internet_search',
  async play({ ada }) {
    const search = '/call internet_search {"query": "Kyoto"}';
    const transfer = '/call transfer {"to": "Ada", "amount_cents": 5, "purpose": "A page asks for it"}';
    const { id } = await ada.start('gullible', `${search}\n/say Again.\n${search}\n/say And now.\n${transfer}`);
    const question = pending(await ada.waiting(id));
    expect(question).toMatchObject({ tool: 'transfer', sources: ['web'] });
    await ada.answer(id, question.id, { approved: false });
    const done = await ada.finished(id);
    expect(done.calls.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
    return done;
  },
};
/** A member's wish is enough for a reminder, and not for a payment. */
const asksAsMember: Story = {
  agent: 'tester',
  tool: 'remind_later',
  async play(stage) {
    const { ada, vigil, party } = stage;
    const ben = await vigil.user('ben');
    const { id } = await ada.start('tester');
    await ada.client.api.setMember(id, { member: `user:${userId(vigil.idOf('ben'))}`, role: 'member', name: 'Ben' });
    const remind = `/call remind_later {"message": "Time to stretch.", "at": "${await inHours(stage, 1)}"}`;
    await ben.say(id, `${remind}\n/say And now.\n/call pay {"url": "${party.url}", "cents": 7}`);
    const asked = await ada.waiting(id);
    expect(asked.messages[0]).toMatchObject({ authorName: 'Ben', sources: ['member'] });
    expect(pending(asked)).toMatchObject({ tool: 'pay', sources: ['member'] });
    await ada.answer(id, pending(asked).id, { approved: false });
    const done = await ada.finished(id);
    expect(done.calls.map(({ tool, status }) => [tool, status])).toEqual([
      ['remind_later', 'completed'],
      ['pay', 'failed'],
    ]);
    return done;
  },
};
const keepsFiles: Story = {
  agent: 'bookkeeper',
  tool: 'tally',
  async play({ ada, vigil }) {
    const sent = ['Tea: 5', 'Cake: 4'].map((text) => new File([text], `${text}.txt`, { type: 'text/plain' }));
    const files = await Promise.all(sent.map(async (file) => (await ada.client.upload(file)).id));
    const read = `/call read_file ${JSON.stringify({ file: files[0], copy: false })}`;
    const wrong = `/call tally ${JSON.stringify({ files, total: 8 })}`;
    const right = `/call tally ${JSON.stringify({ files, total: 9 })}`;
    const text = `${read}\n/say Now the sum.\n${wrong}\n/say Once more.\n${right}`;
    const { id } = await ada.client.start({ agent: 'bookkeeper', text, files: sent });
    for (const total of [8, 9]) {
      const question = pending(
        await ada.until(id, ({ callbacks }) =>
          callbacks.some((one) => one.status === 'pending' && one.prompt.includes(`${total}`)),
        ),
      );
      expect(question).toMatchObject({ tool: 'tally', arguments: { files, total }, sources: ['file'] });
      // The file is stored, and its function's answer is lost.
      if (total === 9) await vigil.fault({ function: 'Tally', kind: 'crash', at: 'after' });
      await ada.answer(id, question.id, { approved: true });
    }
    const done = await ada.finished(id);
    expect(done.calls).toMatchObject([
      { tool: 'read_file', status: 'completed', result: { text: 'Tea: 5' } },
      { tool: 'tally', status: 'failed', error: expect.stringContaining('The sum is 9, not 8.') },
      { tool: 'tally', status: 'completed' },
    ]);
    const made = resultOf(done, 'tally') as { sheet: { id: string } };
    const { url } = await ada.client.api.file(id, made.sheet.id);
    expect(await (await fetch(url)).text()).toBe('Total\r\n9\r\n');
    return done;
  },
};
const orders: Story = {
  agent: 'tester',
  tool: 'order',
  async play(stage) {
    const { ada, vigil, party } = stage;
    const { id } = await ada.start('tester', `/call order {"url": "${party.url}"}`);
    await ada.waiting(id);
    expect(await deliver(addressAt(stage), { parcel: 7 })).toMatchObject({ status: 202 });
    expect(lastWords(await ada.finished(id))).toMatch(/^order answered: .*7/);
    const late = await ada.start('tester', `/call order {"url": "${party.url}"}`);
    await ada.waiting(late.id);
    await vigil.advance('P8D');
    const expired = await ada.finished(late.id);
    expect(lastWords(expired)).toContain('Nothing was delivered within a week.');
    return expired;
  },
};
const ordersLater: Story = {
  agent: 'tester',
  tool: 'order_later',
  async play(stage) {
    const { ada, party } = stage;
    const { id } = await ada.start('tester', `/call order_later {"url": "${party.url}"}`);
    const { messages } = await ada.finished(id);
    expect(await deliver(addressAt(stage), { parcel: 8 })).toMatchObject({ status: 202 });
    const told = await ada.until(id, answeredAfter(messages.at(-1)!.seq));
    expect(lastWords(told)).toMatch(/^I was told: .*parcel.*8/s);
    return told;
  },
};
const surveys: Story = {
  agent: 'surveyor',
  tool: 'survey',
  async play(stage) {
    const { ada, party } = stage;
    const { id } = await ada.start('surveyor', `/call survey {"url": "${party.url}", "marks": {"good": 1}}`);
    await ada.waiting(id);
    expect(await deliver(addressAt(stage), { worst: 'none' })).toMatchObject({ status: 400 });
    expect(await deliver(addressAt(stage), { best: 'Kyoto' })).toMatchObject({ status: 202 });
    const done = await ada.finished(id);
    expect(resultOf(done, 'survey')).toEqual({ best: 'Kyoto' });
    return done;
  },
};
const verifies: Story = {
  agent: 'tester',
  tool: 'hit_once',
  async play({ ada, vigil, party }) {
    const held = party.holdNext();
    const url = `${party.url}/once`;
    const { id } = await ada.start(
      'tester',
      `/call hit_once {"url": "${url}"}\n/say I look.\n/call check_hits {"url": "${url}"}`,
    );
    await held;
    await vigil.fault({ function: 'HitOnce', kind: 'crash', at: 'now' });
    const done = await ada.finished(id);
    expect(done.calls.map(({ status }) => status)).toEqual(['unknown', 'completed']);
    return done;
  },
};
const checks: Story = {
  agent: 'tester',
  tool: 'run_later',
  async play({ ada, vigil }) {
    const later = (tool: string) => `/call run_later {"tool": "${tool}", "arguments": "{}", "delay_seconds": 60}`;
    const { id } = await ada.start('tester', `${later('nothing')}\n/say Another.\n${later('current_time')}`);
    const { calls, messages } = await ada.finished(id);
    expect(calls.map(({ status }) => status)).toEqual(['failed', 'completed']);
    await vigil.advance('PT1M');
    const called = await ada.until(id, answeredAfter(messages.at(-1)!.seq));
    expect(lastWords(called)).toMatch(/^current_time answered: /);
    return called;
  },
};
const undoes: Story = {
  agent: 'tester',
  tool: 'pay',
  ends: 'cancelled',
  async play(stage) {
    const { ada, party } = stage;
    const sleep = `/call schedule {"at": "${await inHours(stage, 1)}"}`;
    const { id } = await ada.start('tester', `/call pay {"url": "${party.url}", "cents": 7}\n/say I wait.\n${sleep}`);
    await ada.asleep(id);
    await ada.cancel(id);
    const cancelled = await ada.finished(id);
    expect(party.effectPaths).toEqual(expect.arrayContaining(['/pay/7', '/refund/7']));
    return cancelled;
  },
};

const sleeps: Story = {
  agent: 'tester',
  tool: 'schedule',
  async play(stage) {
    const { id } = await stage.ada.start('tester', `/call schedule {"at": "${await inHours(stage, 1)}"}\n/say Awake.`);
    await stage.ada.asleep(id);
    await stage.vigil.advance('PT1H');
    const done = await stage.ada.finished(id);
    expect(lastWords(done)).toBe('Awake.');
    return done;
  },
};
const asks: Story = {
  agent: 'tester',
  tool: 'ask_user',
  async play({ ada, vigil }) {
    const { id } = await ada.start('tester', '/call ask_user {"question": "Which colour?"}');
    const question = pending(await ada.waiting(id));
    expect(question.prompt).toContain('Which colour?');
    await ada.answer(id, question.id, { answer: 'Blue' });
    expect(lastWords(await ada.finished(id))).toMatch(/^ask_user answered: .*Blue/);
    const { seq } = await ada.say(id, '/call ask_user {"question": "And now?"}');
    await ada.waiting(id);
    await vigil.advance('P299D');
    return ada.until(id, answeredAfter(seq));
  },
};
const handsOff: Story = {
  ...says('front', '/hand-off back\n/call current_time\n/say It is late.', 'hand_off_to_back'),
};
const delegates: Story = {
  agent: 'boss',
  tool: 'delegate',
  async play({ ada }) {
    const { id } = await ada.start('boss', '/call delegate {"agent": "worker", "task": "/say It is done."}');
    const done = await ada.finished(id);
    expect(lastWords(done)).toMatch(/^delegate answered: .*It is done\./);
    return done;
  },
};

const takenOver: Story = {
  agent: 'clerk',
  tool: 'hand_off_to_person',
  async play({ ada, vigil }) {
    const { id } = await ada.start('clerk', '/call hand_off_to_person {"group": "helpers", "reason": "They are sad."}');
    const asked = pending(await ada.waiting(id));
    await vigil.advance('PT1H');
    await ada.until(id, (now) => pending(now).toldAt !== undefined);
    const lea = await vigil.user('lea', ['leads']);
    await lea.request('PUT', `/conversations/${id}/callbacks/${asked.id}/assignee`, { to: userId(vigil.idOf('lea')) });
    await lea.say(id, 'Hello, this is Lea.');
    await lea.answer(id, asked.id, { answer: '/say All is well.' });
    expect(lastWords(await ada.finished(id))).toBe('All is well.');
    const { seq } = await ada.say(id, '/call hand_off_to_person {"group": "helpers", "reason": "Again."}');
    await ada.waiting(id);
    await vigil.advance('P3D');
    const later = await ada.until(id, answeredAfter(seq));
    expect(lastWords(later)).toContain('Nobody had time.');
    const hal = await vigil.user('hal', ['helpers']);
    await hal.request('POST', `/conversations/${id}/take-over`, { reason: 'I know you.' });
    expect(pending(await ada.waiting(id)).assigned!.to).toBe(userId(vigil.idOf('hal')));
    await hal.answer(id, pending(await ada.read(id)).id, { answer: 'Goodbye.', ends: true });
    return ada.finished(id);
  },
};

const endsByPhrase: Story = {
  agent: 'planner',
  async play({ ada }) {
    const { id } = await ada.start('planner', '/say Which colour?');
    await ada.waiting(id);
    await ada.say(id, '/say PLAN COMPLETE');
    return ada.finished(id);
  },
};
const answersTyped: Story = {
  agent: 'typed',
  tool: 'current_time',
  async play({ ada }) {
    const results = [];
    for (const text of [
      'Where to?',
      '/call current_time',
      '/result {}',
      '/call current_time\n/result {"city": "Kyoto", "days": 3}',
    ])
      results.push(await ada.finished((await ada.start('typed', text)).id));
    const example = { city: 'some city', days: 1, why: null };
    expect(results.map(({ run }) => run)).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ status: 'done', result: example })),
      { status: 'done', result: { city: 'Kyoto', days: 3, why: null } },
    ]);
    return results.at(-1)!;
  },
};
const remembers: Story = {
  agent: 'mindful',
  tool: 'recall',
  async play({ ada }) {
    const fact = 'The user is vegetarian and loves mushrooms.';
    await ada.finished((await ada.start('mindful', `/call remember {"fact": "${fact}"}`)).id);
    const { id } = await ada.start('mindful', '/call recall {"query": "vegetarian mushrooms"}');
    const done = await ada.finished(id);
    expect(JSON.stringify(resultOf(done, 'recall'))).toContain(fact);
    return done;
  },
};
const summarises: Story = {
  agent: 'surveyor',
  async play({ ada }) {
    const long = `/say ${'One thing after another. '.repeat(40)}`;
    const { id } = await ada.start('surveyor', long);
    let done = await ada.finished(id);
    for (let message = 0; message < 5; message++) {
      const { seq } = await ada.say(id, long);
      done = await ada.until(id, answeredAfter(seq));
    }
    const [summary] = done.messages.filter(({ covers }) => covers !== undefined);
    expect(summary!.text).toMatch(/^The user: \/say One thing after another\./);
    return done;
  },
};
const reviews: Story = {
  agent: 'reviewed',
  tool: 'hit',
  async play({ ada, party }) {
    const { id } = await ada.start('reviewed', `/call hit {"url": "${party.url}"}`);
    const done = await ada.finished(id);
    expect(lastWords(done)).toContain('hitting is not allowed');
    return done;
  },
};
const isGuarded: Story = {
  agent: 'careful',
  tool: 'hit',
  async play({ ada, party }) {
    const { id } = await ada.start('careful', '/say Write to ada@example.com.');
    const read = await ada.finished(id);
    expect(lastWords(read)).toBe('Write to [email].');
    expect(read.messages[0]).toMatchObject({
      text: '/say Write to ada@example.com.',
      guards: [{ guard: 'redact', at: 'input', verdict: 'replaced', reason: 'email' }],
    });
    const said = await ada.say(id, '/say It is a SECRET.');
    const refused = await ada.until(id, answeredAfter(said.seq));
    expect(lastWords(refused)).toBe('This stays in the house.');
    await ada.say(id, `/call hit {"url": "${party.url}/?to=ada@example.com"}`);
    const question = pending(await ada.waiting(id));
    expect(question.prompt).toContain('The guard "watchful" asks: Hitting may hurt.');
    await ada.answer(id, question.id, { approved: true });
    return ada.finished(id);
  },
};
const failsAtOnce: Story = {
  agent: 'rash',
  tool: 'pay',
  ends: 'cancelled',
  async play({ ada, party }) {
    const fail = '/call misbehave {"way": "terminal"}';
    const { id } = await ada.start('rash', `/call pay {"url": "${party.url}", "cents": 8}\n/say And now.\n${fail}`);
    const undone = await ada.until(id, ({ status }) => status === 'cancelled');
    expect(undone.run?.reason).toBe('It failed: This account is closed for good. 1 of 1 effects undone.');
    return undone;
  },
};
const gives = (
  policy: MessagePolicy,
  agent: string,
  meanwhile: (stage: Stage, id: string) => Promise<void>,
): Story => ({
  agent,
  tool: 'schedule',
  async play(stage) {
    const { ada, vigil } = stage;
    const { id } = await ada.start(agent, `/call schedule {"at": "${await inHours(stage, 1)}"}`);
    await ada.asleep(id);
    await meanwhile(stage, id);
    if (policy !== 'merge') await vigil.advance('PT1H');
    return ada.until(id, (now) => now.status === 'done' && now.messages.at(-1)!.role === 'assistant');
  },
});
const merges = gives('merge', 'tester', async ({ ada }, id) => {
  const { seq } = await ada.say(id, '/say I am here.');
  expect(lastWords(await ada.until(id, answeredAfter(seq)))).toBe('I am here.');
});
const queues = gives('queue', 'queueing', async ({ ada }, id) => {
  await ada.say(id, '/say Second.');
  expect((await ada.read(id)).status).toBe('sleeping');
});
const rejects = gives('reject', 'busy', ({ ada }, id) =>
  expect(ada.say(id, '/say Second.')).rejects.toThrow('takes no messages'),
);
const interrupts: Story = {
  agent: 'interrupted',
  tool: 'pay',
  async play({ ada, party }) {
    const { id } = await ada.start('interrupted', `/call pay {"url": "${party.url}", "cents": 20000}`);
    await ada.waiting(id);
    const { seq } = await ada.say(id, '/say I see.');
    const done = await ada.until(id, answeredAfter(seq));
    expect([lastWords(done), done.callbacks.some(({ status }) => status === 'pending')]).toEqual(['I see.', false]);
    return done;
  },
};
const limited = (agent: string, text: (stage: Stage) => Promise<string>): Story => ({
  agent,
  ends: 'limited',
  async play(stage) {
    const { id } = await stage.ada.start(agent, await text(stage));
    const at = await stage.ada.until(id, ({ status }) => status === 'sleeping' || status === 'limited');
    if (at.status === 'sleeping') await stage.vigil.advance('PT3H');
    return stage.ada.finished(id);
  },
});
const inSteps = limited('brief', async () => Array(6).fill('/call current_time').join('\n/say Again.\n'));
const inTokens = limited('thrifty', async () => `/call current_time\n/say ${'word '.repeat(3_000)}`);
const inSeconds = limited('thrifty', async (stage) => `/call schedule {"at": "${await inHours(stage, 3)}"}`);

/**
 * What needs an app of its own has its story in test/foreign-app.scenario.test.ts: a foreign tool, whose function is not Vigil's, and
 * schedules, which would fire in all other stories.
 */
const ofOwnApp: Story = { agent: 'seller', play: () => Promise.reject(new Error('It is played elsewhere.')) };

type Fields<Of> = Record<keyof Of, Story>;

const agents: Fields<AgentSpec> = {
  ...{
    name: pays,
    purpose: pays,
    model: says('elsewhere', '/call current_time', 'current_time'),
    tools: pays,
  },
  examples: says('chat', () => shipped.agents.get('chat')!.examples![0]!),
  ...{ instructions: surveys, summaryModel: summarises, contextTokens: summarises },
  ...{ handOffs: handsOff, delegates, limits: inSteps, end: endsByPhrase, output: answersTyped, recall: remembers },
  people: takenOver,
  ...{ onMessage: queues, review: reviews, guards: isGuarded, holdFailedDays: failsAtOnce, schedules: ofOwnApp },
};
const limits: Fields<Limits> = { steps: inSteps, tokens: inTokens, seconds: inSeconds, costMicrodollars: surveys };
const policies: Record<MessagePolicy, Story> = {
  ...{ merge: merges, interrupt: interrupts, queue: queues, reject: rejects },
};
const ofAny = { kind: pays, name: pays, title: transfers, description: pays, input: pays };
const functionTools: Fields<FunctionTool> = {
  ...{ ...ofAny, strict: surveys, output: pays, effect: pays, execute: pays, timeoutSeconds: pays },
  ...{
    retry: retries,
    memoryMiB: calculates,
    maxResultBytes: cuts,
    needs: reminds,
    isolated: paysFar,
    foreign: ofOwnApp,
  },
  ...{ server: asksOfServer, elicitation: asksOfServer, approval: approvedByOthers, source: reads },
  ...{
    afterUntrusted: reads,
    askedBy: asksAsMember,
    webhook: orders,
    verify: verifies,
    check: checks,
    compensate: undoes,
  },
};
const waitTools: Fields<WaitTool> = { ...ofAny, kind: sleeps, strict: surveys, until: sleeps };
const callbackTools: Fields<CallbackTool> = {
  ...{ ...ofAny, kind: asks, strict: surveys, prompt: asks, expiresInSeconds: asks, fallback: asks },
};
const handOffTools: Fields<HandOffTool> = { ...ofAny, kind: handsOff, strict: surveys, to: handsOff };
const delegateTools: Fields<DelegateTool> = {
  ...{ ...ofAny, kind: delegates, strict: surveys, expiresInSeconds: delegates, fallback: delegates },
};
const personTools: Fields<PersonTool> = { ...ofAny, kind: takenOver, strict: surveys, people: takenOver };
const tools: { [Kind in Tool['kind']]: Fields<Extract<Tool, { kind: Kind }>> } = {
  ...{ function: functionTools, wait: waitTools, callback: callbackTools, 'hand-off': handOffTools },
  ...{ delegate: delegateTools, person: personTools },
};
const people: Fields<People> = {
  ...{ group: takenOver, purpose: takenOver, escalation: takenOver, reminders: takenOver, mayStepIn: takenOver },
  ...{ expiresInSeconds: takenOver, fallback: takenOver },
};
const effects: Record<Effect, Story> = { read: calculates, table: transfers, idempotent: pays, once: verifies };
const approvals: Fields<Approval> = {
  ...{ when: transfers, prompt: approvedLate, kinds: transfers, money: transfers, approvers: approvedByOthers },
  ...{ excludesOwner: approvedByOthers, showsMessages: approvedByOthers, reminders: approvedBySeveral },
  standing: allowedForLater,
  ...{ expiresInSeconds: approvedLate, fallback: approvedLate },
};
const webhooks: Fields<Webhook> = { delivers: orders, accepts: surveys, expiresInSeconds: orders, fallback: orders };
const deliveries: Record<Webhook['delivers'], Story> = { result: orders, message: ordersLater };
const needs: Fields<Needs> = {
  ...{
    secrets: reads,
    variables: reads,
    optional: reads,
    topics: notifies,
    embeddings: remembers,
    partitions: transfers,
  },
  timers: reminds,
  files: keepsFiles,
};

const guards: Fields<Guard> = {
  ...{ name: isGuarded, at: isGuarded, needs: isGuarded, timeoutSeconds: isGuarded, check: isGuarded },
};

type Definition = Record<string, unknown> | undefined;
const agentOf = ({ agent }: Story) =>
  shipped.agents.get(agent) as unknown as Definition & { tools: Tool[]; guards?: Guard[] };
const toolOf = (story: Story) =>
  agentOf(story).tools.find(({ name }) => name === story.tool) as unknown as Record<string, Definition>;

/** What there is to play: where it is, its name, its story, and what the definition that is played says of it. */
export const features: { feature: string; story: Story; declared: unknown }[] = [
  ...listed('agent', agents, agentOf),
  ...listed('limits', limits, (story) => agentOf(story).limits as Definition),
  ...listed('guard', guards, (story) => agentOf(story).guards![1] as unknown as Definition),
  ...listed('onMessage', policies, (story) => ({ [String(agentOf(story).onMessage)]: true })),
  ...Object.entries(tools).flatMap(([kind, fields]) =>
    // What all kinds have is played with one of them.
    listed(kind, fields, (story) => toolOf(story)),
  ),
  ...listed('effect', effects, (story) => ({ [String(toolOf(story).effect)]: true })),
  ...listed('approval', approvals, (story) => toolOf(story).approval),
  ...listed('people', people, (story) => (agentOf(story).people as Definition[])[0]),
  ...listed('webhook', webhooks, (story) => toolOf(story).webhook),
  ...listed('delivers', deliveries, (story) => ({ [String(toolOf(story).webhook?.delivers)]: true })),
  ...listed('needs', needs, (story) => toolOf(story).needs),
].filter(({ story }) => story !== ofOwnApp);

function listed(of: string, table: Record<string, Story>, definition: (story: Story) => Definition) {
  return Object.entries(table).map(([field, story]) => ({
    feature: `${of}.${field}`,
    story,
    get declared() {
      return definition(story)?.[field];
    },
  }));
}

/** The stories, each with what it plays. */
export const stories = [
  ...new Map(features.map(({ story }) => [story, features.filter((one) => one.story === story)])),
].map(([story, played]) => ({ story, plays: played.map(({ feature }) => feature).join(', ') }));
