import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// The worst moment for a tool: its effect is there, and nobody has written it down. And what a failure leaves behind.

const resultsIn = ({ messages }: ChatRequest) =>
  messages.flatMap((message) => (message.role === 'tool' ? [String(message.content)] : []));

describe('a process that dies after the effect and before its record', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  beforeEach(async () => {
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterEach(() => Promise.all([vigil?.stop(), party?.stop()]));

  /** The third party does it at once and does not say so: there is the effect, and no record. */
  async function underWay(tool: 'hit' | 'hit_once'): Promise<string> {
    const held = party.holdNext();
    vigil.model.script([call('c', tool, { url: party.url }), { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Go');
    await held;
    expect(party.effects).toBe(1);
    const { calls } = await (await vigil.user()).read(id);
    expect(calls).toMatchObject([{ status: 'running', attempts: 1 }]);
    return id;
  }

  const die: [string, (functionName: string) => Promise<void>][] = [
    ['the worker is killed', (functionName) => vigil.fault({ function: functionName, kind: 'crash', at: 'now' })],
    [
      'the whole local cloud is killed',
      async () => {
        await vigil.kill();
        await vigil.restart();
      },
    ],
  ];

  test.each(die)(
    '%s: an idempotent tool asks again with the same key, and the effect exists once (R27, R119)',
    async (_how, dies) => {
      const id = await underWay('hit');
      await dies('Hit');
      const { status, calls } = await nudgeToEnd(vigil, id);
      expect(status).toBe('done');
      expect(calls).toMatchObject([{ status: 'completed', attempts: 2, result: { hits: 1 } }]);
      expect(party.requests).toEqual([calls[0]!.id, calls[0]!.id]);
      expect(party.effects).toBe(1);
    },
  );

  test.each(die)(
    '%s: a `once` tool is not repeated, and the model hears that the outcome is unknown (R111, R119)',
    async (_how, dies) => {
      const id = await underWay('hit_once');
      await dies('HitOnce');
      const { status, calls } = await nudgeToEnd(vigil, id);
      expect(status).toBe('done');
      expect(calls).toMatchObject([{ status: 'unknown', attempts: 1 }]);
      expect(resultsIn(vigil.model.requests.at(-1)!)).toEqual([
        expect.stringMatching(/^Outcome unknown: .*check with check_hits before you try again\.$/),
      ]);
      expect(party.requests).toEqual(['']);
    },
  );
});

describe('a failure leaves no words behind', () => {
  // Short, since Node's parser quotes ten characters.
  const word = 'quince';
  let vigil: Vigil;
  let talker: Server;
  let url: string;
  beforeAll(async () => {
    // It answers with words where JSON is due: the parser's error quotes them.
    talker = createServer((_request, response) => response.end(`${word} sk-live-0123456789`));
    await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(talker.address() as AddressInfo).port}`;
    vigil = await startVigil();
  });
  afterAll(async () => {
    talker.closeAllConnections();
    talker.close();
    await vigil?.stop();
  });

  async function run(...script: Reply[]) {
    vigil.model.script(script);
    const { id } = await (await vigil.user()).start('tester', `My ${word} is ripe.`);
    const ended = await nudgeToEnd(vigil, id);
    const runId = ended.run!.id;
    const executions = await vigil.ended(runId);
    const described = await Promise.all(
      executions.map(({ executionArn }) => vigil.stepFunctions.send(new DescribeExecutionCommand({ executionArn }))),
    );
    const traces = { logs: vigil.logs(), history: await vigil.history(runId), described };
    return { ...ended, traces };
  }

  function expectNoWords(traces: { logs: string; history: object[]; described: object[] }): void {
    expect(traces.logs).toContain('"level":"ERROR"');
    for (const trace of [traces.logs, JSON.stringify(traces.history), JSON.stringify(traces.described)]) {
      expect(trace.match(new RegExp(`${word}|sk-test|sk-live|taskToken|Bearer`))).toBeNull();
    }
  }

  const failures = (history: { type?: string; taskFailedEventDetails?: { error?: string; cause?: string } }[]) =>
    history.flatMap(({ taskFailedEventDetails: failed }) => (failed ? [failed] : []));

  test('a tool that fails to the end: its row and the model have the name of its error, and nothing has its words (R23, R35)', async () => {
    const { status, calls, traces } = await run(call('c', 'hit', { url }), { text: 'So be it.' });
    expect(status).toBe('done');
    expect(calls).toMatchObject([{ status: 'unknown', error: expect.stringContaining('failed: SyntaxError.') }]);
    const [result] = resultsIn(vigil.model.requests.at(-1)!);
    expect(result).toContain('SyntaxError');
    expect(JSON.stringify([calls, result])).not.toContain(word);
    expect(failures(traces.history).map(({ error }) => error)).toEqual(Array(4).fill('ToolFailed'));
    for (const { cause } of failures(traces.history)) expect(cause).toContain("the call's row says why");
    expectNoWords(traces);
  });

  test('a tool that ends the run: its own attempt leaves its name only (R24, R35)', async () => {
    const { run: ended, traces } = await run(call('c', 'misbehave', { way: 'terminal' }));
    expect(ended).toMatchObject({ status: 'failed', reason: 'This account is closed for good.' });
    const [attempt] = failures(traces.history);
    expect(attempt).toMatchObject({
      error: 'ToolTerminal',
      cause: expect.stringMatching(/^(?!.*closed).*the call's row says why/),
    });
    expectNoWords(traces);
  });

  const words = {
    message: `${word}: Incorrect API key sk-test`,
    type: 'invalid_request_error',
    param: `my ${word}`,
    code: `no ${word}`,
  };
  test.each<[string, Reply, RegExp]>([
    ['rejects the request', { status: 400, error: { error: words } }, /\(400\)/],
    ['refuses the key', { status: 401, error: { error: words } }, /\(401\)/],
    [
      'fails inside the stream',
      { malformed: `data: ${JSON.stringify({ error: { ...words, code: 'context_length_exceeded' } })}\n\n` },
      /grown too long/,
    ],
  ])('a model that %s: the run says why in our words (R35)', async (_what, reply, reason) => {
    const { run: ended, traces } = await run(reply);
    expect(ended).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) });
    expect(ended!.reason).not.toContain(word);
    expectNoWords(traces);
  });
});
