import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { filtered } from './support/filter-pattern';
import { liveClient } from './support/live-client';
import type { Reply } from './support/servers/model-server';
import { emittedIn, isRinging, linesIn } from './support/stories/alarms';
import { nudgeToEnd } from './support/stories/patience';
import { call } from './support/stories/transcript';

// What fails is readable in the terminal and in the function's log: whose it was, why, and in which line. Nobody's words are.

describe('a failure (R126)', () => {
  const words = /pineapple|crate|fragile/i;
  const parcel = 'A crate of pineapples';
  /** Where a text is in a file of `agents/`: `tools/weigh.ts:12:`. */
  const place = (file: string, text: string) => {
    const lines = readFileSync(join(__dirname, 'agents', file), 'utf8').split('\n');
    return `test/agents/${file}:${1 + lines.findIndex((line) => line.includes(text))}:`;
  };
  const thrown = place('scales.ts', 'throw new Error');
  let vigil: Vigil;
  beforeAll(async () => {
    vigil = await startVigil({ variables: { VIGIL_PRICES: JSON.stringify({ 'test-model': [1, 10] }) } });
  });
  afterAll(() => vigil?.stop());

  /** Runs a conversation. @returns what the terminal showed of it, in blocks of a line and its stack: so many. */
  async function shown(count: number, ...script: Reply[]) {
    vigil.model.script([...script, { text: 'Fragile.' }]);
    const { id } = await (await vigil.user()).start('tester', 'Weigh my pineapples');
    await nudgeToEnd(vigil, id);
    const blocks = () => vigil.terminal().split(/\n(?! {4}at )/);
    return { id, blocks: await written(count, () => blocks().filter((block) => block.includes(id))) };
  }
  const weighed = (count: number, way: string) => shown(count, call('c', 'weigh', { parcel, way }));

  /** The terminal is a pipe, and the log a file: what is written there may come a moment later than the run's end. */
  async function written<T>(count: number, read: () => T[]): Promise<T[]> {
    for (let look = 0; look < 1_000 && read().length < count; look++) await setTimeout(10);
    return read();
  }
  const failuresLogged = (id: string) =>
    written(2, () =>
      linesIn(vigil.logs()).filter(({ message, conversationId }) => message === 'failed' && conversationId === id),
    );

  test('of a tool is a line for each attempt, with the line of the helper that threw', async () => {
    const { id, blocks } = await weighed(2, 'in a helper');
    expect(blocks.map((block) => block.split('\n')[0])).toEqual(
      [1, 2].map(
        (attempt) =>
          `tester · weigh: failed (attempt ${attempt} of 2, conversation ${id}): Error: The scales show nothing.`,
      ),
    );
    for (const block of blocks) {
      const [, innermost, caller, tool] = block.split('\n');
      expect(innermost).toContain(thrown);
      expect(caller).toContain(place('scales.ts', 'return kilogramsOf'));
      expect(tool).toContain(place('tools/weigh.ts', 'return { kilograms'));
    }
    expect(await failuresLogged(id)).toMatchObject(
      [1, 2].map((attempt) => ({
        level: 'ERROR',
        agent: 'tester',
        tool: 'weigh',
        attempt,
        attemptsAtMost: 2,
        reason: 'The scales show nothing.',
        frames: expect.stringContaining(thrown),
      })),
    );
  });

  test('that quotes the call says it without the call’s words; one that is meant for the model is one line', async () => {
    const { blocks } = await weighed(2, 'with its words');
    expect(blocks).toHaveLength(2);
    expect(blocks[0]).toContain('Error: Nobody can weigh …, not even the ….');
    expect(blocks[0]).toContain(place('tools/weigh.ts', 'Nobody can weigh'));
    const { id, blocks: forModel } = await weighed(1, 'for the model');
    expect(forModel).toEqual([
      `tester · weigh: failed, not retried (attempt 1, conversation ${id}): TellModel: … is too heavy.`,
    ]);
  });

  test('in a callback, which ends the process, tells its line as well', async () => {
    const { id, blocks } = await weighed(1, 'in a callback');
    expect(blocks[0]).toContain(
      `tester · weigh: failed (attempt 1, conversation ${id}): Error: message omitted, because it may quote the conversation`,
    );
    expect(blocks[0]).toContain(thrown);
    const ended = 'Weigh: its process ended (Error)';
    expect(
      await written(1, () =>
        vigil
          .terminal()
          .split('\n')
          .filter((line) => line === ended),
      ),
    ).not.toEqual([]);
  });

  test('of the model is a line with the agent, the model and the attempt; its run is counted, and so is its execution (R171)', async () => {
    const { id, blocks } = await shown(2, { status: 503 }, { status: 401 });
    expect(blocks.map((block) => block.split('\n')[0])).toEqual([
      `tester · model test-model: failed (attempt 1, conversation ${id}): ModelUnavailable: The model's server failed (503).`,
      `tester · model test-model: failed (attempt 2, conversation ${id}): ModelRejected: The model's server refused the key (401). Put a valid key into the secret.`,
    ]);
    expect(blocks[0]).toMatch(/lambdas\/models\/server-model\.ts:\d+:\d+/);
    const { run } = await (await vigil.user()).read(id);
    const ends = () => linesIn(vigil.logs()).filter(({ runId, End }) => runId === run!.id && End === 'failed');
    expect(await written(1, ends)).toHaveLength(1);
    expect((await vigil.ended(run!.id)).map(({ status }) => status)).toEqual(['FAILED']);
  });

  test('of the platform is found from one line: the message’s own leads to its run, its model call, its tool and its delivery (R170)', async () => {
    vigil.model.script([
      { text: 'Hello.' },
      call('c', 'weigh', { parcel, way: 'for the model' }),
      { text: 'Fragile.' },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Hello');
    await ada.finished(id);
    const client = await liveClient(ada);
    await client.follow(id);
    await ada.say(id, 'Weigh my pineapples');
    await client.until(() => client.of(id)?.run?.status === 'done' && client.of(id)!.calls.length === 1);
    await client.close();
    // Filter patterns, as CloudWatch has them: equal fields of one line.
    const find = async (pattern: string) => (await written(1, () => filtered(pattern, linesIn(vigil.logs()))))[0]!;

    const said = await find(`{ $.conversationId = "${id}" && $.route = "/conversations/:id/messages" }`);
    expect(said).toMatchObject({ message: 'request', method: 'POST', status: 202, seq: 3 });
    const ofRun = `$.conversationId = "${id}" && $.runId = "${said.runId}"`;
    const model = await find(`{ ${ofRun} && $.message = "model" }`);
    expect(model).toMatchObject({ segment: said.segment, step: 1, agent: 'tester', Model: 'test-model' });
    const step = await find(`{ $.requestId = "${model.requestId}" && $.message = "step" }`);
    expect(step).toMatchObject({ step: 1, next: 'tool:weigh' });
    const failed = await find(`{ ${ofRun} && $.step = 1 && $.tool = "weigh" && $.message = "failed" }`);
    expect(failed).toMatchObject({ level: 'WARN', attempt: 1, error: 'TellModel' });
    const ofCall = `$.callId = "${failed.callId}" && $.attempt = 1`;
    expect(await find(`{ ${ofCall} && $.requestId = "${failed.requestId}" && $.message = "tool" }`)).toMatchObject({
      status: 'failed',
    });
    const printed = await find(`{ ${ofCall} && $.message = "The scales are 9 years old." }`);
    expect(printed).toMatchObject({ level: 'WARN', runId: said.runId, tool: 'weigh' });
    expect(await find(`{ ${ofCall} && $.message = "call settled" }`)).toMatchObject({ Tool: 'weigh', ToolFailures: 1 });
    const delivered = await find(`{ $.conversationId = "${id}" && $.message = "broadcast" }`);
    expect(delivered.pushed).toBeGreaterThan(0);
    expect(await find(`{ ${ofRun} && $.message = "run ended" }`)).toMatchObject({ End: 'done' });
  });

  test('rings when models cost too much, and each step’s cost is printed once (R171)', async () => {
    const tokens = (count: number) => ({ prompt_tokens: count, completion_tokens: count, total_tokens: 2 * count });
    expect(isRinging('Cost', vigil.logs())).toBe(false);
    const { id } = await shown(
      1,
      { ...call('c', 'weigh', { parcel, way: 'for the model' }), usage: tokens(100_000) },
      { text: 'Fragile.', usage: tokens(3_000_000) },
    );
    const { usage } = await (await vigil.user()).read(id);
    const printed = () => emittedIn(linesIn(vigil.logs()).filter(({ conversationId }) => conversationId === id));
    const costs = () => printed().filter(({ name, dimensions }) => name === 'CostDollars' && !dimensions.Agent);
    const dollars = (await written(2, costs)).reduce((sum, { value }) => sum + value, 0);
    expect(dollars).toBeCloseTo(usage.costMicrodollars / 1_000_000, 6);
    expect(dollars).toBeGreaterThan(30);
    expect(isRinging('Cost', vigil.logs())).toBe(true);
  });

  test('tells nobody’s words, and no key', () => {
    expect(vigil.terminal()).not.toMatch(words);
    expect(vigil.logs()).not.toMatch(words);
    expect(vigil.terminal() + vigil.logs()).not.toContain('sk-test');
  });
});
