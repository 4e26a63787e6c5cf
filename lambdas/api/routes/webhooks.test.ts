import { gzipSync } from 'node:zlib';
import { signWebhook } from '../../../core/base/state/webhook';
import { readCall, startAttempt } from '../../../core/conversations/calls/call';
import { readCallback, webhookId } from '../../../core/conversations/calls/callback';
import type { Table } from '../../../core/conversations/store/table';
import { apiDeployment } from '../../../test/support/api-deployment';
import { loggedLines } from '../../../test/support/logged';
import { askingIn, deployment, order } from '../../../test/support/stories/asking';
import { startTable } from '../../../test/support/tables/table';
import { api } from '../app';

loggedLines();

const now = new Date();
const webhookKey = async () => 'a key';
const json = { 'content-type': 'application/json' };

let table: Table & { stop(): Promise<void> };
let post: (init: RequestInit) => Promise<[status: number, detail: unknown]>;
let status: () => Promise<string>;
let result: () => Promise<unknown>;

beforeAll(async () => {
  table = await startTable();
});
async function ordered(): Promise<void> {
  const { id, callId } = await askingIn(table, now)([order.name]);
  await startAttempt(table, id, callId, order, now);
  const callbackId = webhookId(callId);
  const app = api(apiDeployment(table, deployment, { webhookKey }));
  const path = `/webhooks/${signWebhook(await webhookKey(), id, callbackId)}`;
  post = async (init) => {
    const answer = await app.request(path, { method: 'POST', ...init });
    return [answer.status, ((await answer.json()) as { detail?: string }).detail];
  };
  result = async () => (await readCall(table, id, callId))!.result;
  status = async () => (await readCallback(table, id, callbackId))!.status;
}
beforeEach(ordered);
afterAll(() => table.stop());

const missing = 'body: is missing: send JSON';
const tooDeep = 'body: may not be nested deeper than 100 levels';

test.each<[string, RequestInit, string]>([
  ['nothing at all', {}, missing],
  ['JSON that is nested without end', { headers: json, body: '['.repeat(50_000) + ']'.repeat(50_000) }, tooDeep],
])('%s is refused, and the address is not spent', async (_what, init, detail) => {
  expect(await post(init)).toEqual([400, detail]);
  expect(await status()).toBe('pending');
});

const ofSns = '{"Type":"Notification","Message":"{\\"order\\":7}"}';

test.each<[string, RequestInit]>([
  ['as text, as Amazon SNS sends it', { headers: { 'content-type': 'text/plain; charset=UTF-8' }, body: ofSns }],
  ['as bytes without a type', { body: Buffer.from(ofSns) }],
  ['with a byte order mark', { headers: json, body: `\ufeff${ofSns}` }],
  ['in gzip', { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(ofSns) }],
])('JSON %s is taken by its bytes (R268)', async (_, init) => {
  expect(await post(init)).toEqual([202, undefined]);
  expect(await result()).toEqual(JSON.parse(ofSns));
});

test.each<[string, Buffer]>([
  ['is cut off', gzipSync(ofSns).subarray(0, 20)],
  ['grows without end', gzipSync(Buffer.alloc(50_000_000, ' '))],
])('gzip that %s is refused, and the address is not spent (R268)', async (_, body) => {
  expect(await post({ headers: json, body: new Uint8Array(body) })).toEqual([
    400,
    'body: cannot be decompressed: send JSON, or JSON in gzip',
  ]);
  expect(await status()).toBe('pending');
});

test('JSON is taken, also the shortest', async () => {
  expect(await post({ headers: json, body: '{}' })).toEqual([202, undefined]);
  expect(await status()).toBe('answered');
});

test('a delivery keeps its digits, and half a character in it is replaced: its sender cannot send another (R191, R192)', async () => {
  const body = '{"id":9007199254740993,"note":"hi \\ud83d\\u0000","rate":1e400}';
  expect(await post({ headers: json, body })).toEqual([202, undefined]);
  expect(await result()).toEqual({ id: '9007199254740993', note: 'hi \ufffd\ufffd', rate: '1e400' });
});
