import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DescribeExecutionCommand } from '@aws-sdk/client-sfn';
import { startVigil, type Vigil } from './support/clouds/vigil';
import type { ChatRequest, Reply } from './support/servers/model-server';
import { startThirdParty } from './support/servers/third-party';
import { stopAfterEach } from './support/stop-after-each';
import { nudgeToEnd } from './support/stories/patience';
import { call, resultsIn } from './support/stories/transcript';

// The worst moment for a tool: its effect is there, and nobody has written it down. And what a failure leaves behind.

const stopped = stopAfterEach();
let vigil: Vigil;
beforeEach(async () => {
  vigil = stopped(await startVigil());
});

const tools = { hit: 'Hit', hit_once: 'HitOnce', pay_far: 'PayFar' };

test.each<[string, () => Promise<unknown>]>([
  [
    'the workers are killed',
    () => Promise.all(Object.values(tools).map((name) => vigil.fault({ function: name, kind: 'crash', at: 'now' }))),
  ],
  [
    'the whole local cloud is killed',
    async () => {
      await vigil.kill();
      await vigil.restart();
    },
  ],
])(
  '%s after the effects and before their record: an idempotent tool asks again with the same key, as an isolated one does, a `once` tool is not repeated, and each effect exists once (R27, R111, R119, R148)',
  async (_how, die) => {
    const parties = await Promise.all(Object.keys(tools).map(async () => stopped(await startThirdParty())));
    // The third parties do it at once and do not say so: there are the effects, and no record.
    const held = Promise.all(parties.map((party) => party.holdNext()));
    const toolCalls = Object.keys(tools).map((name, nth) => {
      const { url } = parties[nth]!;
      return { id: name, name, arguments: name === 'pay_far' ? { url, cents: 100 } : { url } };
    });
    vigil.model.script([{ toolCalls }, { text: 'So be it.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Go');
    await held;
    const begun = await (await vigil.user()).read(id);
    expect(begun.calls).toMatchObject(Array(3).fill({ status: 'running', attempts: 1 }));

    await die();
    const { status, calls } = await nudgeToEnd(vigil, id);
    expect(status).toBe('done');
    expect(calls).toMatchObject([
      { status: 'completed', attempts: 2, result: { hits: 1 } },
      { status: 'unknown', attempts: 1 },
      { status: 'completed', attempts: 2, result: { paid: 100 } },
    ]);
    expect(resultsIn(vigil)[1]).toMatch(/^Outcome unknown: .*check with check_hits before you try again\.$/);
    const [hit, , far] = calls.map((one) => one.id);
    expect(parties.map(({ requests }) => requests)).toEqual([[hit, hit], [''], [far, far]]);
    expect(parties.map(({ effects }) => effects)).toEqual([1, 1, 1]);
  },
);

describe('a failure leaves no words behind', () => {
  // Short, since Node's parser quotes ten characters.
  const word = 'quince';
  let talker: Server;
  let url: string;
  beforeAll(async () => {
    // It answers with words where JSON is due: the parser's error quotes them.
    talker = createServer((_request, response) => response.end(`${word} sk-live-0123456789`));
    await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(talker.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    talker.closeAllConnections();
    talker.close();
  });

  async function run(...script: Reply[]) {
    vigil.model.script(script);
    const { id } = await (await vigil.user()).start('tester', `My ${word} is ripe.`);
    const ended = await nudgeToEnd(vigil, id);
    const executions = await vigil.ended(ended.run!.id);
    const described = await Promise.all(
      executions.map(({ executionArn }) => vigil.stepFunctions.send(new DescribeExecutionCommand({ executionArn }))),
    );
    const history = await vigil.history(ended.run!.id);
    const failures = history.flatMap(({ taskFailedEventDetails: failed }) => (failed ? [failed] : []));
    expect(vigil.logs()).toContain('"level":"ERROR"');
    for (const trace of [vigil.logs(), JSON.stringify(history), JSON.stringify(described)])
      expect(trace.match(new RegExp(`${word}|sk-test|sk-live|taskToken|Bearer`))).toBeNull();
    return { ...ended, failures };
  }
  const toolsIn = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'tool');

  test('of a tool that fails to the end, its row and the model have the name of its error; of a model’s server, the run has our words (R23, R35)', async () => {
    const words = { message: `${word}: key sk-test`, type: 'invalid_request_error', param: word, code: `no ${word}` };
    const failure = { error: { ...words, code: 'context_length_exceeded' } };
    const {
      run: ended,
      calls,
      failures,
    } = await run(
      call('c', 'hit', { url }),
      { malformed: `data: ${JSON.stringify(failure)}\n\n` },
      { status: 400, error: { error: words } },
    );
    expect(calls).toMatchObject([{ status: 'unknown', error: expect.stringContaining('failed: SyntaxError.') }]);
    const [result] = toolsIn(vigil.model.requests[1]!);
    expect(result!.content).toContain('SyntaxError');
    expect(JSON.stringify([calls, result])).not.toContain(word);
    const ofTool = failures.filter(({ error }) => error === 'ToolFailed');
    expect(ofTool).toHaveLength(4);
    for (const { cause } of ofTool) expect(cause).toContain("the call's row says why");
    expect(ended).toMatchObject({ status: 'failed', reason: expect.stringMatching(/\(400\)|grown too long/) });
    expect(ended!.reason).not.toContain(word);
  });

  test('of a tool that ends the run, its own attempt leaves its name only (R24, R35)', async () => {
    const { run: ended, failures } = await run(call('c', 'misbehave', { way: 'terminal' }));
    expect(ended).toMatchObject({ status: 'failed', reason: 'This account is closed for good.' });
    expect(failures[0]).toMatchObject({
      error: 'ToolTerminal',
      cause: expect.stringMatching(/^(?!.*closed).*the call's row says why/),
    });
  });
});
