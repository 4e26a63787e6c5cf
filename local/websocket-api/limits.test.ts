import { once } from 'node:events';
import type WebSocket from 'ws';
import { type SocketFixture, startSocketFixture } from '../../test/support/servers/socket';

let at: SocketFixture;
beforeAll(async () => {
  at = await startSocketFixture();
});
afterAll(() => at.stop());

test.each([
  ['a message over 128 KB', (socket: WebSocket) => sendFrames(socket, Array(5).fill(30_000)), 1009],
  ['a frame over 32 KB', (socket: WebSocket) => socket.send('x'.repeat(32_769)), 1009],
  ['a binary message', (socket: WebSocket) => socket.send(Buffer.from([1])), 1003],
])('%s ends the connection', async (_what, say, code) => {
  const socket = await at.open();
  const ended = at.closing(socket);
  say(socket);
  expect(await ended).toBe(code);
});

test('a message of several frames within the limits is handled', async () => {
  const socket = await at.open();
  const answer = once(socket, 'message');
  sendFrames(socket, [32_000, 32_000, 32_000, 32_000]);
  expect(String((await answer)[0])).toContain('xxx');
  socket.close();
});

function sendFrames(socket: WebSocket, sizes: number[]): void {
  const last = sizes.length - 1;
  for (const [index, size] of sizes.entries()) socket.send('x'.repeat(size), { fin: index === last });
}

test('unread data is buffered up to a limit, then rejected', async () => {
  const socket = await at.open();
  const ConnectionId = await at.idOf(socket);
  socket.pause();
  let answer = 'done';
  for (let turn = 0; turn < 1_000 && answer === 'done'; turn++)
    answer = await at.refused(at.post(ConnectionId, 'x'.repeat(131_072)));
  expect(answer).toBe('429 LimitExceededException');
  socket.terminate();
});

test('a connection ends after 10 idle minutes, and after 2 hours, by the local clock', async () => {
  const [talking, silent] = [await at.open(), await at.open()];
  const advance = (minutes: number) => at.cloud.clock.advance(minutes * 60_000);
  const silence = at.closing(silent);
  advance(9);
  await at.tell(talking);
  advance(2);
  expect(await silence).toBe(1001);
  const end = at.closing(talking);
  for (let minutes = 11; minutes < 110; minutes += 9) {
    await at.tell(talking);
    advance(9);
  }
  await at.tell(talking);
  advance(9);
  await at.tell(talking);
  advance(2);
  expect(await end).toBe(1001);
});
