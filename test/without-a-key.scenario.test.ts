import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../agents';
import type { Timeline } from '../core/people/views/timeline';
import { bankEval } from '../evals/bank.eval';
import { chatEval } from '../evals/chat.eval';
import { reminderEval } from '../evals/reminder.eval';
import { travelEval } from '../evals/travel.eval';
import { openStandIns, type StandIns } from '../local/npm-start/stand-ins';
import type { User } from './support/api-client';
import type { Conversation } from './support/api-types';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startMcpServers } from './support/servers/guard';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { wordsOf } from './support/stories/transcript';

// What a person without any key has: every agent can be played by commands, and every shipped example goes to its end.

jest.setTimeout(120_000);

let standIns: StandIns;
let vigil: Vigil;
let party: ThirdParty;
let servers: Awaited<ReturnType<typeof startMcpServers>>;
let ada: User;
beforeAll(async () => {
  [standIns, party, servers] = await Promise.all([openStandIns({}), startThirdParty(), startMcpServers()]);
  vigil = await startVigil({ variables: { ...standIns.variables, ...servers.variables, VIGIL_TITLES: 'on' } });
  ada = await vigil.user();
});
afterAll(async () => {
  await vigil?.stop();
  await Promise.all([standIns?.stop(), party?.stop(), servers?.stop()]);
});

const toolsOf = ({ calls }: Conversation) => calls.map(({ tool }) => tool);
const lastOf = (conversation: Conversation) => wordsOf(conversation).at(-1);
/** Says something and reads until the run has answered it. */
async function ask(id: string, text: string): Promise<Conversation> {
  const { seq } = await ada.say(id, text);
  return ada.until(id, ({ status, messages }) => status === 'done' && messages.at(-1)!.seq > seq);
}

describe('without a key a person plays any agent (R128)', () => {
  test('with its tools, its words and its hand-offs; what cannot be played is answered with how to write it', async () => {
    const { id } = await ada.start('front', 'Please refund the order A1');
    const lost = await ada.finished(id);
    expect(toolsOf(lost)).toEqual([]);
    expect(lastOf(lost)).toEqual([
      'front',
      expect.stringMatching(/^I have no answer to that\. I am the stand-in model/),
    ]);
    expect(lastOf(lost)![1]).toContain('\n/hand-off back\n/hand-off side\n/say some text\n');

    expect(lastOf(await ask(id, '/say Good morning.\nHow can I help?'))).toEqual([
      'front',
      'Good morning.\nHow can I help?',
    ]);
    const handed = await ask(id, '/hand-off back');
    expect(toolsOf(handed)).toEqual(['hand_off_to_back']);
    expect(lastOf(handed)).toEqual(['back', expect.stringContaining('\n/call pay {"url":"some url","cents":1}\n')]);

    expect(party.effects).toBe(0);

    const paid = await ask(
      id,
      `/say I pay both.\n/call pay {"url": "${party.url}", "cents": 5}\n/call pay {"url": "${party.url}", "cents": 6}`,
    );
    expect(paid.calls.slice(-2)).toMatchObject([
      { tool: 'pay', arguments: { url: party.url, cents: 5 }, status: 'completed' },
      { tool: 'pay', arguments: { url: party.url, cents: 6 }, status: 'completed' },
    ]);
    expect(wordsOf(paid).slice(-2)).toEqual([
      ['back', 'I pay both.'],
      ['back', 'pay answered: {"paid":5}\n\npay answered: {"paid":6}'],
    ]);
    expect(party.effectPaths.sort()).toEqual(['/pay/5', '/pay/6']);
  });
});

describe('each kind of tool, and each way to end, is played by commands (R248)', () => {
  const calls = (name: string, given: object = {}) => `/call ${name} ${JSON.stringify(given)}`;
  test.each<[agent: string, commands: string, tools: string[], status: string]>([
    ['boss', calls('delegate', { agent: 'worker', task: '/say It is done.' }), ['delegate'], 'done'],
    ['calculator', calls('run_code', { code: '6 * 7' }), ['run_code'], 'done'],
    ['typed', '/call current_time\n/result {"city": "Kyoto", "days": 3}', ['current_time'], 'done'],
    ['clerk', calls('hand_off_to_person', { group: 'helpers', reason: 'Sad.' }), ['hand_off_to_person'], 'waiting'],
    ['planner', '/say Which colour?', [], 'waiting'],
    ['brief', Array(6).fill('/call current_time').join('\n/say Again.\n'), Array(5).fill('current_time'), 'limited'],
  ])('%s: %s', async (agent, commands, tools, status) => {
    const { id } = await ada.start(agent, commands);
    const ended = await ada.until(id, (now) => now.status === status && now.calls.length === tools.length);
    expect([toolsOf(ended), ended.status]).toEqual([tools, status]);
  });

  test('and the one that needs another app is played there', () => {
    expect(readFileSync(join(__dirname, 'foreign-app.scenario.test.ts'), 'utf8')).toContain('R248');
  });
});

/** How the shipped examples go that are no case of an eval: what is called, and how it ends. */
const known: Record<string, { tools: string[]; says: RegExp }> = {
  'What is my balance, and what came in lately?': {
    tools: ['hand_off_to_account_manager', 'get_balance', 'get_transactions'],
    says: /^Account [\d ]+: \$[\d,.]+\nYour last transactions:\n- \d{4}-\d\d-\d\d .*\$[\d,.]+/,
  },
  'Send 900 dollars to Ada for the rent': {
    tools: ['hand_off_to_account_manager', 'transfer'],
    says: /^\$900\.00 moved to Ada; \$[\d,.]+ left\.$/,
  },
  'Why was my loan refused?': {
    tools: ['hand_off_to_loan_advisor', 'get_loans'],
    says: /^Your loans:\n- .*, \$[\d,.]+: (?:approved|refused)\. /,
  },
  'Remind me tomorrow at 8am, bright and early, to check out https://example.org/news': {
    tools: ['current_time', 'schedule', 'reminder'],
    says: /^Done: I have reminded you\.$/,
  },
  'Remind me every Monday at 9 to water the plants': {
    tools: ['current_time', 'repeat'],
    says: /^The next time is Monday .* at 09:00 UTC\.$/,
  },
};

const examples = agents.flatMap(({ name, examples: own = [] }) => own.map((example) => ({ name, example })));
/** What the stand-in model plays in test/evals.scenario.test.ts. */
const cases = new Set(
  [reminderEval, travelEval, chatEval, bankEval].flatMap((one) => one.cases.map(({ says }) => says)),
);

describe('each example of each agent is played to its end without a key (R128)', () => {
  /** Approves what waits for approval and lets time pass, until there is nothing left but what only a person knows. */
  async function play(agent: string, example: string): Promise<Conversation> {
    const { id } = await ada.start(agent, example);
    for (let pause = 0; pause < 5; pause++) {
      const at = await ada.until(id, ({ status }) => status !== 'running');
      const approval = at.callbacks.find(({ kind, status }) => kind === 'approval' && status === 'pending');
      if (approval) await ada.answer(id, approval.id, { approved: true });
      else if (at.status === 'sleeping')
        await vigil.advance(`PT${Math.ceil((Date.parse(at.until!) - +(await vigil.now())) / 1_000) + 1}S`);
      else return at;
      await ada.until(id, ({ version }) => version !== at.version);
    }
    throw new Error(`${example}: no end after five pauses`);
  }

  test('a file that is sent is named in the answer', async () => {
    const file = new File(['T-1'], 'ticket "1".txt', { type: 'text/plain' });
    const { id } = await ada.client.start({ agent: 'chat', text: 'Please keep this for me.', files: [file] });
    expect(lastOf(await ada.finished(id))).toEqual([
      'chat',
      expect.stringMatching(/^I have received "ticket \\"1\\"\.txt", and I read no files\. I am the stand-in model/),
    ]);
  });

  test.each(examples.filter(({ example }) => !cases.has(example)))('$name: $example', async ({ name, example }) => {
    const ended = await play(name, example);
    const { tools, says } = known[example]!;
    expect([toolsOf(ended), lastOf(ended)![1]]).toEqual([tools, expect.stringMatching(says)]);
    expect(ended.status).toBe('done');
    // The tokens are counted, and cost nothing.
    expect(ended.usage.inputTokens).toBeGreaterThan(0);
    expect(ended.usage.costMicrodollars).toBe(0);
    const { cost } = (await ada.request('GET', `/conversations/${ended.id}/timeline`)).body as Timeline;
    expect(cost.modelMicrodollars).toBe(0);
    expect(cost.stateTransitions).toBeGreaterThan(0);
  });

  test('a conversation gets a title after its first exchange; the call is counted, and its text is nowhere in the log (R160)', async () => {
    const { id } = await ada.start(
      'chat',
      'Hello, please find the cheapest lighthouse near Lisbon and tell me about it',
    );
    const named = 'Find the cheapest lighthouse near Lisbon';
    const done = await ada.until(id, ({ title }) => title === named);
    expect(done).toMatchObject({ status: 'done', run: { usage: { modelCalls: 1 } }, usage: { modelCalls: 2 } });
    expect(vigil.logs()).not.toContain('lighthouse');
    await ada.request('PATCH', `/conversations/${id}`, { title: 'Mine' });
    expect((await ask(id, 'Thank you')).title).toBe('Mine');
  });

  test('each other example is a case of an eval', () => {
    const others = examples.map(({ example }) => example).filter((example) => !cases.has(example));
    expect(others.sort()).toEqual(Object.keys(known).sort());
  });
});
