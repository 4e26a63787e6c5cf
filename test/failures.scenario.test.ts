import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Reply } from './support/model-server';
import { nudgeToEnd } from './support/patience';
import { call } from './support/transcript';
import { startVigil, type Vigil } from './support/vigil';

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
    vigil = await startVigil();
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
      vigil
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(id) && line.includes('"failed"'))
        .map((line) => JSON.parse(line)),
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
        ...{ agent: 'tester', tool: 'weigh', attempt, attemptsAtMost: 2, reason: 'The scales show nothing.' },
        frames: expect.stringContaining(thrown),
      })),
    );
  });

  test('that quotes the call says it without the call’s words', async () => {
    const { blocks } = await weighed(2, 'with its words');
    expect(blocks).toHaveLength(2);
    expect(blocks[0]).toContain('Error: Nobody can weigh …, not even the ….');
    expect(blocks[0]).toContain(place('tools/weigh.ts', 'Nobody can weigh'));
  });

  test('that is meant for the model is one line', async () => {
    const { id, blocks } = await weighed(1, 'for the model');
    expect(blocks).toEqual([`tester · weigh: failed (attempt 1 of 2, conversation ${id}): TellModel: … is too heavy.`]);
  });

  test('in a callback, which ends the process, tells its line as well', async () => {
    const { id, blocks } = await weighed(1, 'in a callback');
    expect(blocks[0]).toContain(
      `weigh: failed (conversation ${id}): Error: message omitted, because it may quote the conversation`,
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

  test('of the model is a line with the agent, the model and the attempt', async () => {
    const { id, blocks } = await shown(2, { status: 503 }, { status: 401 });
    expect(blocks.map((block) => block.split('\n')[0])).toEqual([
      `tester · model test-model: failed (attempt 1, conversation ${id}): ModelUnavailable: The model's server failed (503).`,
      `tester · model test-model: failed (attempt 2, conversation ${id}): ModelRejected: The model's server refused the key (401). Put a valid key into the secret.`,
    ]);
    expect(blocks[0]).toMatch(/lambdas\/models\/openai-model\.ts:\d+:\d+/);
  });

  test('tells nobody’s words, and no key', () => {
    expect(vigil.terminal()).not.toMatch(words);
    expect(vigil.logs()).not.toMatch(words);
    expect(vigil.terminal() + vigil.logs()).not.toContain('sk-test');
  });
});
