import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Conversation } from 'vigil-client';
import { wholeConversation } from 'vigil-client/shared';
import { called, defineEval, neverCalled, type Scorer, says } from '../package/eval';
import { playEvals } from '../package/eval/play';
import type { Played } from '../package/eval/report';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ModelServer } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call, unquoted } from './support/stories/transcript';

// Recorded conversations, played again from a step with the agents as they are now. Nothing that a tool does takes effect.

const folder = mkdtempSync(join(tmpdir(), 'vigil-recorded-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ends: Scorer = {
  name: 'ends',
  score: ({ status }) => (status === 'done' ? { score: 1, why: '' } : { score: 0, why: `it is ${status}` }),
};
const answersOf = (played: Played[]) =>
  played.map(({ case: name, problem, scores, answered = [] }) => [
    name,
    ...[problem, ...scores.map(({ why }) => why)].filter(Boolean),
    ...answered.map(({ tool, by }) => `${tool} ${by}`),
  ]);
/** The results that a request ends with, and the last words of its user. */
const resultsOf = ({ messages }: ModelServer['requests'][number]): string[] =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    .flatMap(({ role, content }) => (role === 'tool' ? [unquoted(String(content))] : []));
const lastWords = ({ messages }: ModelServer['requests'][number]): string =>
  String(messages.findLast(({ role, content }) => role === 'user' && !String(content).startsWith('[A note'))?.content);

describe('a recorded transfer', () => {
  let vigil: Vigil;
  let recorded: Conversation;
  let failed: Conversation;
  const file = join(folder, 'transfer.json');
  const transfer = { to: 'Ada', amount_cents: 90_000, purpose: '' };

  beforeAll(async () => {
    vigil = await startVigil({ variables: { VIGIL_PRICES: JSON.stringify({ 'other-model': [1, 1] }) } });
    vigil.model.script([
      call('a', 'hand_off_to_account_manager', { reason: 'A transfer' }),
      call('b', 'get_balance', {}),
      call('c', 'transfer', transfer),
      { text: 'It is done.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('bank', 'Send 900 to Ada');
    const { callbacks } = await ada.waiting(id);
    await ada.answer(id, callbacks[0]!.id, { approved: true });
    await ada.finished(id);
    recorded = await wholeConversation(ada.client.api, id);
    writeFileSync(file, JSON.stringify({ conversation: recorded }));
    vigil.model.script([
      call('a', 'get_balance', {}),
      { status: 400, error: { error: { message: 'No.', type: 'x' } } },
    ]);
    const { id: other } = await ada.start('account-manager', 'What have I got?');
    expect((await ada.finished(other)).status).toBe('failed');
    failed = await wholeConversation(ada.client.api, other);
  });
  afterAll(() => vigil?.stop());

  const accounts = async () => {
    const { client, name: TableName } = vigil.table;
    const { Items = [] } = await client.send(
      new ScanCommand({
        TableName,
        FilterExpression: 'begins_with(pk, :bank)',
        ExpressionAttributeValues: { ':bank': 'B#' },
      }),
    );
    return Items.map(({ pk, sk }) => `${pk} ${sk}`).sort();
  };

  test('is made again from the step before it: recorded, by a stand-in, or refused; no money moves (R234)', async () => {
    const before = await accounts();
    expect(before).not.toEqual([]);
    vigil.model.script((request) => {
      const [results, words] = [resultsOf(request), lastWords(request)];
      const said = results.at(-1) ?? '';
      if (/moved to|not called|ledger is closed/.test(said)) return { text: said };
      if (words.includes('Bob')) return call('d', 'transfer', { ...transfer, to: 'Bob', amount_cents: 100 });
      if (words.includes('Eve')) return call('d', 'transfer', { ...transfer, to: 'Eve', amount_cents: 100 });
      return call('d', 'transfer', transfer);
    });
    const approved = { later: [{ after: 'P2D', approve: 'transfer' }] };
    const again = [
      defineEval({
        name: 'again',
        agent: 'bank',
        scorers: [ends],
        cases: [
          {
            name: 'the same transfer',
            from: { recording: file, step: 3 },
            ...approved,
            holds: [called('transfer', transfer), neverCalled('get_balance'), says('$900.00 moved to Ada')],
          },
          {
            name: 'to somebody else',
            from: { recording: file, step: 3 },
            says: 'Send 1 to Bob',
            tools: {
              transfer: ({ to }: { to: string }) => {
                if (to === 'Bob') throw new Error('The ledger is closed today.');
              },
            },
            holds: [says('The ledger is closed today.')],
          },
          {
            name: 'without a result',
            from: { recording: recorded, step: 3 },
            says: 'Send 1 to Eve',
            holds: [says('transfer was not called'), neverCalled('get_balance')],
          },
        ],
      }),
    ];
    const played = await playEvals(vigil, again);
    expect(answersOf(played)).toEqual([
      ['the same transfer', 'transfer recorded'],
      ['to somebody else', 'transfer stand-in'],
      ['without a result', 'transfer refused'],
    ]);
    expect(await accounts()).toEqual(before);
    expect(await playEvals(vigil, again)).toEqual(played);
  });

  test('is made again with other instructions and models, also live, without a recording, with files, or at a failed step (R234)', async () => {
    vigil.model.script((request) => {
      const result = resultsOf(request).at(-1);
      if (result?.includes('balance_cents')) return { text: `Nothing is sent. ${result}` };
      return call('d', 'get_balance', {});
    });
    const before = vigil.model.requests.length;
    const list = join(folder, 'list.csv');
    writeFileSync(list, 'name,amount');
    const balance = { account_number: '1', balance_cents: 7, text: 'Seven cents' };
    const scorers = [ends, neverCalled('transfer'), says('Nothing is sent')];
    const [careful, quiet] = ['You never move money.', 'You say nothing.'];
    const played = await playEvals(vigil, [
      defineEval({
        name: 'careful',
        agent: 'bank',
        instructions: careful,
        models: ['test-model', 'other-model'],
        scorers: [...scorers, called('get_balance')],
        cases: [
          { name: 'live', from: { recording: file, run: 1, step: 2 }, live: ['get_balance'] },
          { name: 'recorded', from: { recording: file, step: 2 } },
        ],
      }),
      defineEval({
        name: 'new',
        agent: 'account-manager',
        instructions: quiet,
        models: ['other-model'],
        scorers: [...scorers, called('get_balance'), says('Seven cents')],
        cases: [{ name: 'new', says: 'What have I got?', files: [list], tools: { get_balance: balance } }],
      }),
      defineEval({
        name: 'failed',
        agent: 'account-manager',
        scorers: [...scorers, neverCalled('get_balance'), says(/Account/)],
        cases: [{ name: 'again', from: { recording: failed, step: 2 } }],
      }),
    ]);
    expect(answersOf(played)).toEqual([
      ...['live', 'live', 'recorded', 'recorded'].map((way) => [way, `get_balance ${way}`]),
      ['new', 'get_balance stand-in'],
      ['again'],
    ]);
    const models = ['test-model', 'other-model'];
    expect(played.slice(0, 4).map(({ model }) => model)).toEqual([...models, ...models]);
    const askedWith = (instructions: string) =>
      vigil.model.requests.slice(before).filter(({ messages }) => JSON.stringify(messages[0]).includes(instructions));
    expect(new Set(askedWith(careful).map(({ model }) => model))).toEqual(new Set(models));
    for (const { messages } of askedWith(careful)) expect(JSON.stringify(messages)).toContain('Send 900 to Ada');
    const [first, ...others] = askedWith(quiet);
    expect([first, ...others].map((request) => request!.model)).toEqual(['other-model', 'other-model']);
    expect(lastWords(first!)).toMatch(/^What have I got\?\n.*list\.csv/);
  });
});

describe('a recorded run with effects elsewhere', () => {
  let vigil: Vigil;
  let shop: ThirdParty;
  beforeAll(async () => {
    shop = await startThirdParty();
    // A server of MCP tools, too: each request to it is counted.
    vigil = await startVigil({ variables: { EVERYTHING_URL: `${shop.url}/mcp` } });
  });
  afterAll(async () => {
    await vigil?.stop();
    await shop?.stop();
  });

  async function record(agent: string): Promise<Conversation> {
    const ada = await vigil.user();
    const { id } = await ada.start(agent, 'Go');
    await ada.finished(id);
    return wholeConversation(ada.client.api, id);
  }
  async function undone(): Promise<string[]> {
    const { client, name: TableName } = vigil.table;
    const FilterExpression = 'begins_with(sk, :call) AND undoneAt > :never';
    const values = { ':call': 'CALL#', ':never': '' };
    const command = new ScanCommand({ TableName, FilterExpression, ExpressionAttributeValues: values });
    return ((await client.send(command)).Items ?? []).map(({ tool }) => String(tool));
  }
  const stranger = { way: 'answer', table: 'none', conversation: 'none', function: 'none' };
  const callsOf = (url: string, way = 'answer') => [
    { id: 'a', name: 'pay', arguments: { url, cents: 500 } },
    { id: 'b', name: 'hit_once', arguments: { url: `${url}/once` } },
    { id: 'c', name: 'order_later', arguments: { url } },
    { id: 'd', name: 'order', arguments: { url } },
    { id: 'e', name: 'stranger', arguments: { ...stranger, way } },
    { id: 'f', name: 'check_hits', arguments: { url } },
  ];
  const toolsOf = callsOf('').map(({ name }) => name);
  const byAll = (by: string) => toolsOf.toSorted().map((tool) => `${tool} ${by}`);

  test('reaches nobody: tools of the deployment, isolated ones, those with a webhook, and their undoing (R234)', async () => {
    // Orders are delivered later, or expire: they would wake the conversation that is recorded.
    const first = callsOf(shop.url).filter(({ name }) => !name.startsWith('order'));
    vigil.model.script([{ toolCalls: first }, { text: 'Done.' }]);
    const conversation = await record('tester');
    expect(conversation.calls.map(({ status }) => status)).toEqual(first.map(() => 'completed'));
    const [paid] = conversation.calls;
    const ordered = ['order', 'order_later'].map((tool, index) => ({
      ...paid!,
      id: `${paid!.id}${index}`,
      tool,
      arguments: { url: shop.url },
      result: { delivered: index + 1 },
    }));
    const recording = { conversation: { ...conversation, calls: [...conversation.calls, ...ordered] } };
    const before = shop.requests.length;
    expect(before).toBeGreaterThanOrEqual(3);

    vigil.model.script((request) => {
      const results = resultsOf(request);
      const isOther = lastWords(request) === 'Other';
      if (results.length === 0)
        return { toolCalls: isOther ? callsOf(`${shop.url}/other`, 'tell') : callsOf(shop.url) };
      return lastWords(request) === 'More'
        ? call('g', 'pay', { url: shop.url, cents: 50_000 })
        : { text: results.join(' ') };
    });
    const from = { recording, step: 1 };
    const again = defineEval({
      name: 'again',
      agent: 'tester',
      scorers: [ends],
      cases: [
        { name: 'the same', from, holds: [says('"delivered":1')] },
        { name: 'others', says: 'Other', from, holds: [says('stranger was not called')] },
      ],
    });
    expect(answersOf(await playEvals(vigil, [again]))).toEqual([
      ['the same', ...byAll('recorded')],
      ['others', ...byAll('refused')],
    ]);
    // The recorded payment is undone, for it can be, when the run is stopped.
    const stopped = defineEval({
      name: 'stopped',
      agent: 'tester',
      scorers: [ends],
      cases: [{ name: 'waits for ever', says: 'More', from }],
    });
    const [played] = await playEvals(vigil, [stopped]);
    expect(played).toMatchObject({ holds: false, scores: [{ why: 'it is waiting' }] });
    expect(await undone()).toEqual(['pay']);
    expect(shop.requests).toHaveLength(before);
  });

  test('reaches nobody through servers of MCP, sub-agents and deferred calls (R234)', async () => {
    const before = shop.requests.length;
    vigil.model.script(() => ({ text: 'Nothing to do.' }));
    const [connected, boss] = [await record('connected'), await record('boss')];
    vigil.model.script((request) => {
      const result = resultsOf(request).at(-1);
      const tools = JSON.stringify(request.tools);
      if (result) return { text: result };
      if (tools.includes('everything__get_sum'))
        return call('a', 'everything__get_sum', { a: lastWords(request) === 'Go' ? 2 : 4, b: 3 });
      if (JSON.stringify(request.messages[0]).includes('You are the worker.'))
        return call('p', 'pay', { url: shop.url, cents: 500 });
      if (tools.includes('"delegate"')) return call('t', 'delegate', { agent: 'worker', task: 'Pay' });
      if (lastWords(request) !== 'Later') return { text: 'It was done.' };
      return call('l', 'run_later', {
        tool: 'hit',
        arguments: JSON.stringify({ url: shop.url }),
        delay_seconds: 3_600,
      });
    });
    const scorers = [ends];
    const played = await playEvals(vigil, [
      defineEval({
        name: 'servers',
        agent: 'connected',
        scorers,
        cases: [
          {
            name: 'a stand-in',
            from: { recording: connected, step: 1 },
            tools: { everything__get_sum: ({ a, b }: { a: number; b: number }) => `It is ${a + b}.` },
            holds: [says('It is 5.')],
          },
          { name: 'nothing', from: { recording: connected, step: 1 }, says: 'Four', holds: [says('was not called')] },
        ],
      }),
      defineEval({
        name: 'delegates',
        agent: 'boss',
        scorers,
        cases: [{ name: 'a sub-agent', from: { recording: boss, step: 1 }, holds: [says('pay was not called')] }],
      }),
      defineEval({
        name: 'deferred',
        agent: 'tester',
        scorers,
        cases: [
          {
            name: 'a deferred call',
            says: 'Later',
            later: [{ after: 'PT2H' }],
            tools: { hit: { hits: 7 } },
            holds: [called('hit')],
          },
        ],
      }),
    ]);
    expect(answersOf(played)).toEqual([
      ['a stand-in', 'everything__get_sum stand-in'],
      ['nothing', 'everything__get_sum refused'],
      ['a sub-agent', 'pay refused'],
      ['a deferred call', 'hit stand-in'],
    ]);
    expect(shop.requests).toHaveLength(before);
  });
});
