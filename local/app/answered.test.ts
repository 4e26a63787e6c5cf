import { listen } from '../model-server/listen';
import { answeredTools } from './answered';
import { sendJson } from './http-server';

const ids = { conversationId: 'c', runId: 'r', callId: 'r.1.0' };
const payload = (more: object = {}) => JSON.stringify({ ...ids, ...more });

async function program(reply: object, status = 200) {
  const asked: unknown[] = [];
  const server = await listen(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    asked.push(JSON.parse(Buffer.concat(pieces).toString()));
    sendJson(response, status, reply);
  });
  return { ...server, asked };
}

test('a program answers attempts at calls, and decides whether the function runs (R234)', async () => {
  const answered = answeredTools();
  expect(await answered.answerTo('Pay', payload())).toBeUndefined();
  const error = { errorType: 'ToolFailed', errorMessage: 'Busy.' };
  for (const [reply, result] of [
    [{}, { payload: 'null', executedVersion: '$LATEST' }],
    [{ answer: { a: 1 } }, { payload: '{"a":1}', executedVersion: '$LATEST' }],
    [{ error }, { payload: JSON.stringify(error), functionError: 'Unhandled', executedVersion: '$LATEST' }],
    [{ runs: true }, undefined],
  ] as const) {
    const { url, asked, stop } = await program(reply);
    answered.ask(url);
    expect(await answered.answerTo('Pay', payload({ undo: true }))).toEqual(result);
    expect(asked).toEqual([{ functionName: 'Pay', request: { ...ids, undo: true } }]);
    await stop();
  }
  answered.ask();
  expect(await answered.answerTo('Pay', payload())).toBeUndefined();
});

test('other invocations are not asked about: events, requests, and those of a state that waits (R234)', async () => {
  const { url, asked, stop } = await program({});
  const answered = answeredTools();
  answered.ask(url);
  const others = [
    '',
    '[]',
    'null',
    '{"conversationId":"c","runId":"r"}',
    payload({ taskToken: 't' }),
    payload({ callId: 1 }),
  ];
  for (const other of others) expect(await answered.answerTo('Ask', other)).toBeUndefined();
  expect(asked).toEqual([]);
  await stop();
});

test('without an answer the function does not run (R234)', async () => {
  const answered = answeredTools();
  const { url, stop } = await program({ runs: true }, 500);
  answered.ask(url);
  const failure = { name: 'ServiceException', message: expect.stringContaining(`Nobody answers tool calls at ${url}`) };
  await expect(answered.answerTo('Pay', payload())).rejects.toMatchObject(failure);
  await stop();
  await expect(answered.answerTo('Pay', payload())).rejects.toMatchObject(failure);
});
