import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '../agents';
import type { Timeline } from '../core/people/views/timeline';
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
    expect(lastOf(await ask(id, '/hand-off nowhere'))![1]).toMatch(
      /^There is no agent "nowhere"[\s\S]*\/hand-off back\n/,
    );

    const handed = await ask(id, '/hand-off back');
    expect(toolsOf(handed)).toEqual(['hand_off_to_back']);
    expect(lastOf(handed)).toEqual(['back', expect.stringContaining('\n/call pay {"url":"some url","cents":1}\n')]);

    expect(lastOf(await ask(id, `/call pay {"url": "${party.url}", "cents": 5`))![1]).toMatch(
      /^The arguments of pay must be a JSON object: [\s\S]*\/call pay \{"url":"some url","cents":1\}/,
    );
    expect(lastOf(await ask(id, '/call refund {"order": "A1"}'))![1]).toMatch(
      /^There is no tool "refund"[\s\S]*\/call pay /,
    );
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

  test('through approvals, questions and sleep: the command makes the call, and the rest is as with any model', async () => {
    const { id } = await ada.start('tester', `/call pay {"url": "${party.url}", "cents": 20000}`);
    const { callbacks } = await ada.waiting(id);
    await ada.answer(id, callbacks[0]!.id, { approved: false, reason: 'Too much.' });
    expect(lastOf(await ada.finished(id))![1]).toMatch(/^pay failed: .*Too much\.$/);

    const question = await ada.say(id, '/call ask_user {"question": "Which colour?"}');
    const asked = await ada.until(id, ({ callbacks: open }) => open.some(({ status }) => status === 'pending'));
    await ada.answer(id, asked.callbacks.find(({ status }) => status === 'pending')!.id, { answer: 'Blue' });
    const answered = await ada.until(
      id,
      ({ status, messages }) => status === 'done' && messages.at(-1)!.seq > question.seq,
    );
    expect(lastOf(answered)![1]).toMatch(/^ask_user answered: .*Blue/);

    const at = new Date((await vigil.now()).getTime() + 3_600_000).toISOString();
    await ada.say(id, `/call schedule {"at": "${at}"}`);
    expect((await ada.asleep(id)).until).toBe(at);
    await vigil.advance('PT1H');
    expect(lastOf(await ada.finished(id))![1]).toMatch(/^schedule answered: The time has come/);
  });
});

describe('each kind of tool, and each way to end, is played by commands (R248)', () => {
  const calls = (name: string, given: object = {}) => `/call ${name} ${JSON.stringify(given)}`;
  test.each<[agent: string, commands: string, tools: string[], status: string]>([
    ['front', '/hand-off back\n/call current_time\n/say It is late.', ['hand_off_to_back', 'current_time'], 'done'],
    ['boss', calls('delegate', { agent: 'worker', task: '/say It is done.' }), ['delegate'], 'done'],
    ['calculator', calls('run_code', { code: '6 * 7' }), ['run_code'], 'done'],
    ['typed', '/call current_time\n/result {"city": "Kyoto", "days": 3}', ['current_time'], 'done'],
    ['mindful', calls('remember', { fact: 'The user likes tea.' }), ['remember'], 'done'],
    ['reviewed', calls('hit', { url: 'http://127.0.0.1:9' }), ['hit'], 'done'],
    ['clerk', calls('hand_off_to_person', { group: 'helpers', reason: 'Sad.' }), ['hand_off_to_person'], 'waiting'],
    ['planner', '/say Which colour?', [], 'waiting'],
    ['brief', Array(6).fill('/call current_time').join('\n/say Again.\n'), Array(5).fill('current_time'), 'limited'],
  ])('%s: %s', async (agent, commands, tools, status) => {
    const { id } = await ada.start(agent, commands);
    const ended = await ada.until(id, (now) => now.status === status && now.calls.length === tools.length);
    expect([toolsOf(ended), ended.status]).toEqual([tools, status]);
  });

  test('and the one that needs another app is played there', () => {
    expect(readFileSync(join(__dirname, 'foreign-app.scenario.test.ts'), 'utf8')).toContain('(R248)');
  });
});

/** How the shipped examples go: what is called, and how it ends. */
const known: Record<string, { tools: string[]; says: RegExp; waiting?: true }> = {
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
  'I want to talk to a person': {
    tools: ['hand_off_to_person'],
    says: /^An adviser will come\.$/,
    waiting: true,
  },
  'What is 12 % of 340?': { tools: ['hand_off_to_calculator', 'run_code'], says: /^It is 40\.8\.$/ },
  'Remember that I am vegetarian': { tools: ['remember'], says: /^I will remember that\.$/ },
  'Search the web for the temples of Kyoto': {
    tools: ['hand_off_to_researcher', 'internet_search', 'scrape_website'],
    says: /Fushimi Inari.* \(Kyoto sights.*: https:\/\/kyoto\.example\/sights\)$/,
  },
  'Remind me tomorrow at 8am, bright and early, to check out https://example.org/news': {
    tools: ['current_time', 'schedule', 'reminder'],
    says: /^Done: I have reminded you\.$/,
  },
  'Remind me every Monday at 9 to water the plants': {
    tools: ['current_time', 'repeat'],
    says: /^The next time is Monday .* at 09:00 UTC\.$/,
  },
  'Remind me in 3 weeks to renew my passport': {
    tools: ['current_time', 'schedule', 'reminder'],
    says: /^Done: I have reminded you\.$/,
  },
  'Plan a trip for me.': { tools: [], says: /^Where would you like to go, and when\?$/, waiting: true },
  'Four days in Kyoto in May, on a budget of $1,200': {
    tools: ['internet_search', 'scrape_website', 'scrape_website'],
    says: /^Kyoto, in May, 4 days\.[\s\S]*Day 4\nMorning: .* \(https:\/\/kyoto\.example\/[\s\S]*PLAN COMPLETE$/,
  },
  'A long weekend in Lisbon: food, and a walk by the sea': {
    tools: [],
    says: /^When would you like to be in Lisbon, and for how many days\?$/,
    waiting: true,
  },
};
const examples = agents.flatMap(({ name, examples: own = [] }) => own.map((example) => ({ name, example })));

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

  test('a chart is drawn, and its picture opens (R213)', async () => {
    const { id, calls, messages } = await play('chat', 'Draw a chart of 3, 5 and 8');
    expect(messages.at(-1)!.text).toBe('Here is the chart: chart.png.');
    const { files } = calls.at(-1)!.result as { files: { id: string; mediaType: string }[] };
    expect(files).toMatchObject([{ mediaType: 'image/png' }]);
    const { url } = await ada.client.api.file(id, files[0]!.id, 'inline');
    expect((await fetch(url)).headers.get('content-type')).toBe('image/png');
  });

  test('a file that is sent is named in the answer', async () => {
    const file = new File(['T-1'], 'ticket "1".txt', { type: 'text/plain' });
    const { id } = await ada.client.start({ agent: 'chat', text: 'Please keep this for me.', files: [file] });
    expect(lastOf(await ada.finished(id))).toEqual([
      'chat',
      expect.stringMatching(/^I have received "ticket \\"1\\"\.txt", and I read no files\. I am the stand-in model/),
    ]);
  });

  test.each(examples)('$name: $example', async ({ name, example }) => {
    const ended = await play(name, example);
    const { tools, says, waiting } = known[example] ?? { tools: [], says: /\/say some text/ };
    expect([toolsOf(ended), lastOf(ended)![1]]).toEqual([tools, expect.stringMatching(says)]);
    expect(ended.status).toBe(waiting ? 'waiting' : 'done');
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

  test('the examples that are known are those of the agents', () => {
    for (const example of Object.keys(known)) expect(examples.map((one) => one.example)).toContain(example);
  });
});
