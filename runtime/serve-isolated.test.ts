import * as z from 'zod';
import { TellModel } from '../core/base/text/errors';
import { defineTool } from '../core/conversations/agent/tool';
import { serveIsolated } from './serve-isolated';
import { serveTool } from './serve-tool';

const isolated = (execute: () => Promise<unknown>) =>
  defineTool({
    name: 'look',
    description: 'd',
    input: z.object({}),
    output: z.unknown(),
    effect: 'read',
    isolated: true,
    execute,
  });
const answerOf = (execute: () => Promise<unknown>) =>
  serveIsolated(isolated(execute))({ input: {}, callId: 'r.1.00', attempt: 1, now: '2026-03-01T08:00:00.000Z' });

test('an isolated tool cannot be served with a table: its bundle does not load (R125, R148)', () => {
  expect(() => serveTool(isolated(async () => 1))).toThrow(
    'tool look: handler: use serveIsolated for an isolated tool',
  );
});

test('nor is a tool served in a way that never works: a bundle with it does not load (R193)', () => {
  const plain = { name: 'look', description: 'd', input: z.object({}), output: z.unknown(), execute: async () => 1 };
  const webhook = { delivers: 'result' as const, expiresInSeconds: 60, fallback: 'Nothing came.' };
  const reading = defineTool({ ...plain, effect: 'read' });
  expect(() => serveIsolated(reading as never)).toThrow(
    'tool look: handler: use serveTool for a tool that is not isolated',
  );
  expect(() => serveTool(defineTool({ ...plain, effect: 'once', webhook }))).toThrow(
    'tool look: handler: its webhook needs an address: serveTool(…, webhookAddress())',
  );
});

test('an execution that is older than the isolation is told to begin a new segment (R127, R148)', async () => {
  const older = { conversationId: 'c', runId: 'r', callId: 'r.1.00' };
  const run = serveIsolated(isolated(async () => 1));
  await expect(run(older)).rejects.toMatchObject({ name: 'NoSuchTool' });
  await expect(run({ input: 7 })).rejects.toMatchObject({ name: 'ZodError' });
});

test('a tool reads the user’s time zone, or UTC from an older RunIsolated (R148)', async () => {
  const { handler } = await import('../tools/current-time');
  const request = { input: {}, callId: 'r.1.00', attempt: 1, now: '2026-03-01T08:00:00.000Z' };
  expect(await handler(request)).toEqual({ output: { now: request.now, weekday: 'Sunday' } });
  expect(await handler({ ...request, timeZone: 'Asia/Tokyo' })).toEqual({
    output: { now: request.now, weekday: 'Sunday', local: expect.stringContaining('17:00') },
  });
});

test('a failure comes back with its name, its message and the lines of its source (R126, R148)', async () => {
  const thrown = Object.assign(new RangeError('No page.'), { cause: { name: 'Reset', status: 502 } });
  expect(await answerOf(() => Promise.reject(thrown))).toEqual({
    failure: {
      name: 'RangeError',
      message: 'No page.',
      cause: 'Reset',
      causeStatus: 502,
      frames: expect.stringContaining('serve-isolated.test.ts:'),
    },
  });
});

test('what the model should read comes back without lines, which nobody would log (R126, R148)', async () => {
  expect(await answerOf(() => Promise.reject(new TellModel('No page.')))).toEqual({
    failure: { name: 'TellModel', message: 'No page.', frames: '' },
  });
});

test('the message of an SDK stays in the function: only its kind comes back (R35, R148)', async () => {
  const thrown = Object.assign(new Error('connect to 10.0.0.7 with sk-1'), { code: 'ECONNREFUSED' });
  const answer = await answerOf(() => Promise.reject(thrown));
  expect(answer).toMatchObject({ failure: { message: 'The attempt failed: ECONNREFUSED.' } });
  expect(JSON.stringify(answer)).not.toMatch(/10\.0\.0\.7|sk-1/);
});

test('what is not JSON comes back in a form that is, because the tool has run (R192)', async () => {
  const made = { id: 9007199254740993n, by: new Map([['a', 1]]), later: Promise.resolve(1), half: '\ud83d' };
  const output = { id: '9007199254740993', by: [['a', 1]], later: '[a Promise]', half: '\ufffd' };
  expect(await answerOf(async () => made)).toEqual({ output });
});

test('a result that is too long for Lambda is cut, because the tool has run (R192)', async () => {
  const { output } = (await answerOf(async () => '\n'.repeat(7_000_000))) as { output: string };
  expect(output).toMatch(/\[Cut here: the result has 14000002 bytes/);
  expect(Buffer.byteLength(JSON.stringify({ output }))).toBeLessThan(6_000_000);
});

test('files that are too large for Lambda are notes in their place, and the rest of the result stays (R213)', async () => {
  const file = (filename: string, bytes: number) => ({
    type: 'file',
    filename,
    mediaType: 'text/plain',
    data: Buffer.alloc(bytes, 'x').toString('base64'),
  });
  const [one, two, three] = [file('1.txt', 2_000_000), file('2.txt', 2_000_000), file('3.txt', 900_000)];
  const { output } = (await answerOf(async () => ({ words: 'Here.', files: [one, two, three] }))) as { output: object };
  const why = 'the files of a result have at most 4000000 bytes of base64 together.';
  const note = { type: 'text', text: `[2.txt (text/plain) was not stored: ${why}]` };
  expect(output).toEqual({ words: 'Here.', files: [one, note, three] });
});

test.each([undefined, null, 'out of paper', { reason: 'busy' }, 4n])(
  '%p that is thrown comes back in words (R192)',
  async (thrown) => {
    const words = thrown === 'out of paper' ? thrown : expect.stringContaining('was thrown');
    expect(await answerOf(() => Promise.reject(thrown))).toMatchObject({ failure: { name: 'Error', message: words } });
  },
);
