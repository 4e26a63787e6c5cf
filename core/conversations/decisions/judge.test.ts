import * as z from 'zod';
import { defineAgent } from '../agent/agent';
import { defineTool, type FunctionTool } from '../agent/tool';
import { judge } from './judge';

const now = new Date('2026-03-01T08:00:00Z');
const day = 86_400;

const base = {
  name: 'pay',
  description: 'Pays.',
  input: z.object({
    cents: z.number().int().describe('How much'),
    note: z.string().nullable().describe('Why'),
  }),
  output: z.unknown(),
  effect: 'once' as const,
  execute: async () => 'paid',
};
const approval: FunctionTool<typeof base.input>['approval'] = {
  when: ({ cents }) => cents > 100,
  prompt: 'Pay?',
};
const ask = defineTool({
  kind: 'callback',
  name: 'ask',
  description: 'Asks.',
  input: z.object({ question: z.string().describe('What') }),
  prompt: ({ question }: { question: string }) => question,
  expiresInSeconds: day,
  fallback: 'Nobody said.',
});

function judged(tool: Parameters<typeof defineAgent>[0]['tools'][number], args: object, more: object = {}) {
  const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [tool] });
  const asked = { id: 'x', name: tool.name, arguments: JSON.stringify(args) };
  return judge(agent, asked, { runId: 'r_1', step: 2, index: 3, user: 'ada', now, modelCallId: 'x', ...more });
}

describe('a call that needs an approval or asks a question', () => {
  const pay = defineTool({ ...base, approval });

  test('has the arguments that would run, so that those that are shown can be sent back (R275)', () => {
    const lines = z.object({
      at: z.string().transform(Number).describe('The year'),
      lines: z.array(z.object({ cents: z.number().describe('How much') })).describe('Which'),
    });
    const list = defineTool({ ...base, input: lines, approval: { when: () => true, prompt: 'Pay?' } } as never);
    const more = { at: '2026', lines: [{ cents: 5, extra: 1 }], note: 'x' };
    const { call, callback } = judged(list, more);
    expect(call.arguments).toEqual({ at: '2026', lines: [{ cents: 5 }] });
    expect(callback!.arguments).toEqual(call.arguments);
    expect(judged(pay, { cents: 500, note: null, extra: 1 }).call.arguments).toEqual({ cents: 500, note: null });
  });

  test('is queued if its predicate requires no approval (R54)', () => {
    expect(judged(pay, { cents: 100, note: null })).toEqual({ call: expect.objectContaining({ status: 'queued' }) });
  });

  test('otherwise it waits, on a callback of its own id that the owner alone may answer, for a week (R51, R54)', () => {
    const { call, callback } = judged(pay, { cents: 101, note: null });
    expect(call).toMatchObject({ id: 'r_1.00002.03', status: 'waiting', callbackId: call.id });
    expect(callback).toEqual({
      id: call.id,
      callId: call.id,
      runId: 'r_1',
      version: 1,
      decider: 'user:ada',
      status: 'pending',
      createdAt: now.toISOString(),
      kind: 'approval',
      prompt: 'Pay?',
      tool: 'pay',
      arguments: { cents: 101, note: null },
      agent: 'a',
      schema: expect.objectContaining({ required: ['cents', 'note'] }),
      expiresAt: '2026-03-08T08:00:00.000Z',
      fallback: 'Nobody approved this in time, so it was not done.',
    });
  });

  test('its own patience counts where it names one', () => {
    const impatient = defineTool({ ...base, approval: { ...approval, expiresInSeconds: day, fallback: 'Too late.' } });
    const { callback } = judged(impatient, { cents: 101, note: null });
    expect(callback).toMatchObject({ expiresAt: '2026-03-02T08:00:00.000Z', fallback: 'Too late.' });
  });

  // In plain JavaScript: a body without `return`, an async function, another type.
  test.each<[string, object, string]>([
    ['a predicate without an answer', { when: () => undefined }, '"approval.when" must return true or false.'],
    ['one that answers later', { when: () => Promise.reject(new Error('later')) }, 'true or false, and at once.'],
    ['kinds that are a list', { kinds: () => [5] }, '"approval.kinds" must return texts by the names of fields.'],
    ['kinds that are nothing', { kinds: () => null }, '"approval.kinds" must return texts'],
  ])('fails with %s (R193)', (_what, more, problem) => {
    const odd = defineTool({ ...base, approval: { ...approval, ...more } as typeof approval });
    expect(judged(odd, { cents: 101, note: null }).call).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(problem),
    });
  });

  test.each<[string, object, string]>([
    ['a check', { ...base, check: () => ({ problem: 'x' }) }, '"check" must return a text, or nothing.'],
    ['an end that is a text', { kind: 'wait', until: () => '2026-03-02' }, '"until" must return a Date'],
    ['an end that is no date', { kind: 'wait', until: () => new Date('x') }, '"until" must return a Date'],
    ['an end too late', { kind: 'wait', until: () => new Date(8.64e15) }, 'a Date before the year 10000'],
    ['no question', { kind: 'callback', prompt: () => '', expiresInSeconds: 9, fallback: 'x' }, '"prompt" must return'],
  ])('fails with %s of another type (R193)', (_what, more, problem) => {
    const { name, description, input } = base;
    expect(
      judged(defineTool({ name, description, input, ...more } as never), { cents: 1, note: null }).call,
    ).toMatchObject({
      status: 'failed',
      error: expect.stringContaining(problem),
    });
  });

  test('fails with a correction if the predicate throws, or the arguments are too long for an approval (R21)', () => {
    const broken = {
      ...approval,
      when: () => {
        throw new Error('no rate for this currency');
      },
    };
    expect(judged(defineTool({ ...base, approval: broken }), { cents: 101, note: null })).toEqual({
      call: expect.objectContaining({ status: 'failed', error: 'This cannot be done: The attempt failed: Error.' }),
    });
    const failed = jest.fn();
    judged(defineTool({ ...base, approval: broken }), { cents: 101, note: null }, { failed });
    expect(failed.mock.calls).toEqual([
      [
        expect.objectContaining({ message: 'no rate for this currency' }),
        { agent: 'a', tool: 'pay' },
        { cents: 101, note: null },
      ],
    ]);
    const { call, callback } = judged(pay, { cents: 101, note: 'n'.repeat(60_000) });
    expect(call).toMatchObject({ status: 'failed', error: expect.stringContaining('a person must approve this') });
    expect(callback).toBeUndefined();
    expect(judged(pay, { cents: 1, note: 'n'.repeat(60_000) }).call.status).toBe('queued');
  });

  test('a question waits in the same way, and is cut where it would not fit its row (R8)', () => {
    expect(judged(ask, { question: 'Where to?' }).callback).toMatchObject({ kind: 'question', prompt: 'Where to?' });
    const { callback } = judged(ask, { question: 'é'.repeat(50_000) });
    expect(Buffer.byteLength(callback!.prompt)).toBeLessThanOrEqual(20_000);
  });
});

describe('what the schema cannot say', () => {
  const odd = defineTool({ ...base, check: ({ cents }) => (cents % 2 ? undefined : 'cents must be odd') });

  test('is checked before anything runs, and the model reads the problem (R11)', () => {
    expect(judged(odd, { cents: 3, note: null }).call.status).toBe('queued');
    expect(judged(odd, { cents: 4, note: null }).call).toMatchObject({
      status: 'failed',
      error: 'This cannot be done: cents must be odd. Correct it and call it again.',
    });
  });
});

test('arguments are measured as they are stored: numbers that are written out do not pass a row’s limit', () => {
  const tool = defineTool({
    ...base,
    input: z.object({ all: z.array(z.number()).describe('a') }),
  });
  const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [tool] });
  const asked = { id: 'x', name: 'pay', arguments: `{"all":[${Array(35_000).fill('1e20').join()}]}` };
  const { call } = judge(agent, asked, { runId: 'r_1', step: 2, index: 3, user: 'ada', now, modelCallId: 'x' });
  expect(call).toMatchObject({ status: 'failed', error: expect.stringContaining('longer than') });
  expect(JSON.stringify(call).length).toBeLessThan(5_000);
});

describe('arguments that would change', () => {
  const find = defineTool({
    ...base,
    name: 'find',
    execute: async () => 1,
    input: z.object({ id: z.number().describe('d'), note: z.string().describe('d') }),
  });
  const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'i', model: 'm', tools: [find] });
  const at = { runId: 'r_1', step: 2, index: 3, user: 'ada', now, modelCallId: 'x' };
  const judgedText = (args: string) => judge(agent, { id: 'x', name: 'find', arguments: args }, at).call;

  test.each([
    ['9007199254740993', 'id: 9007199254740993 has more digits than a number keeps: send it as text'],
    ['1e400', 'id: 1e400 has more digits than a number keeps: send it as text'],
    [`${'['.repeat(9_000)}${']'.repeat(9_000)}`, 'id.0.0.0.0.…: may not be nested deeper than 100 levels'],
  ])('%.20s is refused by its field, and the model corrects it (R192)', (id, problem) => {
    expect(judgedText(`{"id":${id},"note":"n"}`)).toMatchObject({
      status: 'failed',
      error: `The arguments cannot be read: ${problem}. Correct them and call it again.`,
    });
  });

  test('half a character is replaced (R191)', () => {
    expect(judgedText('{"id":1,"note":"hi \\ud83d"}')).toMatchObject({
      status: 'queued',
      arguments: { note: 'hi \ufffd' },
    });
  });

  test.each([
    [
      'a check',
      {
        check: () => {
          throw undefined;
        },
      },
    ],
    [
      'an approval’s predicate',
      {
        approval: {
          ...approval,
          when: () => {
            throw undefined;
          },
        },
      },
    ],
    [
      'a schema',
      {
        input: z.object({
          cents: z
            .number()
            .describe('d')
            .refine(() => {
              throw undefined;
            }),
        }),
      },
    ],
  ])('%s that throws nothing fails the call and not the step (R192)', (_, odd) => {
    const { call } = judged(defineTool({ ...base, ...(odd as object) } as typeof base), { cents: 1, note: null });
    expect(call).toMatchObject({
      status: 'failed',
      error: 'This cannot be done: The attempt failed: Error.',
    });
  });
});
