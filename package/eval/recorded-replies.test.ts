import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '../../local/model-server/listen';
import { openRecordedReplies } from './recorded-replies';

// A provider that counts, and says something else each time.

const folder = mkdtempSync(join(tmpdir(), 'vigil-replies-'));
let provider: Awaited<ReturnType<typeof listen>>;
let asked: { key?: string; body: string }[] = [];
beforeAll(async () => {
  provider = await listen((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      asked.push({ key: request.headers.authorization, body });
      response.writeHead(body.includes('busy') ? 429 : 200, { 'content-type': 'text/event-stream' });
      response.end(`data: reply ${asked.length}\n\n`);
    });
  });
});
afterAll(async () => {
  await provider.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  asked = [];
});

async function post(url: string, body: object): Promise<[status: number, type: string | null, body: string]> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer k' };
  const answer = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) });
  return [answer.status, answer.headers.get('content-type'), await answer.text()];
}
const request = (id: string, time: string, more: object = {}) => ({
  messages: [{ content: `Run ${id}, now ${time}, again ${id}.` }],
  prompt_cache_key: id,
  ...more,
});
const [a, b] = ['0b0c8b3e-5a55-4f0e-9a51-0c1f5b7e2a11', '6f1d2c3b-4a59-4687-8776-655443322110'];

test('a reply is asked for once, and kept for the same request with other ids and times (R238)', async () => {
  const recording = await openRecordedReplies({ folder, provider: provider.url });
  const first = request(a, '2040-01-02T09:00:01.123Z');
  expect(await post(recording.url, first)).toEqual([200, 'text/event-stream', 'data: reply 1\n\n']);
  expect(asked).toEqual([{ key: 'Bearer k', body: JSON.stringify(first) }]);
  // The second trial has a reply of its own.
  expect((await post(recording.url, first))[2]).toBe('data: reply 2\n\n');
  await recording.stop();

  const again = await openRecordedReplies({ folder });
  const same = request(b, '2040-01-02T09:00:02Z');
  expect(await post(again.url, same)).toEqual([200, 'text/event-stream', 'data: reply 1\n\n']);
  expect((await post(again.url, same))[2]).toBe('data: reply 2\n\n');
  expect(again.counts).toEqual({ kept: 2, asked: 0, missing: 0 });
  expect(asked).toHaveLength(2);
  await again.stop();
});

test('another request, and one more time, have no kept reply: without a provider, that is said (R238)', async () => {
  const replies = await openRecordedReplies({ folder });
  const mixed = { messages: [{ content: `Run ${a}, now 2040-01-02T09:00:02Z, again ${b}.` }] };
  for (const other of [mixed, request(a, '2040-01-02T09:00:02Z', { model: 'another' })])
    expect(await post(replies.url, other)).toEqual([
      400,
      'application/json',
      expect.stringMatching(/There is no recorded reply [0-9a-f]{32} to this request: record it with a key\./),
    ]);
  expect(replies.counts).toEqual({ kept: 0, asked: 0, missing: 2 });
  await replies.stop();
});

test('a failure is passed on, and not kept (R238)', async () => {
  const replies = await openRecordedReplies({ folder, provider: provider.url });
  const before = readdirSync(folder);
  expect((await post(replies.url, request(a, 'busy')))[0]).toBe(429);
  expect(readdirSync(folder)).toEqual(before);
  await replies.stop();
  const alone = await openRecordedReplies({ folder, provider: 'http://127.0.0.1:1' });
  expect((await post(alone.url, request(a, 'gone')))[0]).toBe(502);
  await alone.stop();
});
