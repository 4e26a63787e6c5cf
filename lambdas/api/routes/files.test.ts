import { registry } from '../../../core/conversations/agent/registry';
import { apiDeployment } from '../../../test/support/api-deployment';
import { loggedLines } from '../../../test/support/logged';
import { digestOf, memoryFileStore } from '../../../test/support/memory-file-store';
import { lookingAgent } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import { api } from '../app';

loggedLines();

const table = tableOfTests();
const files = memoryFileStore();
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

async function ask(user: string, method: string, path: string, body?: object) {
  const app = api(apiDeployment(table, registry([lookingAgent]), { files }));
  const claims = { sub: user, token_use: 'access', client_id: 'page', exp: '9999999999' };
  const init = { method, body: body && JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await app.request(path, init, { event: { requestContext: { authorizer: { jwt: { claims } } } } });
  return { status: answer.status, body: (await answer.json()) as never };
}

interface Begun {
  id: string;
  stored: boolean;
  upload?: { url: string; headers: Record<string, string> };
}

const announced = (bytes: Buffer, mediaType: string) => ({ size: bytes.length, mediaType, sha256: digestOf(bytes) });

async function upload(user: string, bytes: Buffer, mediaType: string) {
  const { body } = await ask(user, 'POST', '/files', announced(bytes, mediaType));
  const { id, upload: at } = body as Begun;
  if (at) files.objects.set(at.url.slice('memory:'.length), bytes);
  return { id, completed: await ask(user, 'POST', `/files/${id}/complete`) };
}

describe('files by the API (R210, R211)', () => {
  test('are announced, uploaded, completed and sent, and the conversation shows their parts', async () => {
    const { id, completed } = await upload('ada', png, 'image/png');
    expect(completed).toMatchObject({ status: 200, body: { id, stored: true, mediaType: 'image/png' } });
    const parts = [
      { type: 'text', text: 'What is it?' },
      { type: 'file', id, filename: 'dot.png' },
      { type: 'data', data: { page: 2 } },
    ];
    const started = await ask('ada', 'POST', '/conversations', { agent: 'tester', id: 'shown', parts });
    expect(started.status).toBe(201);
    const { id: conversation, messages } = started.body as { id: string; messages: object[] };
    expect(messages).toMatchObject([
      {
        text: 'What is it?\n\n{"page":2}',
        parts: [parts[0], { ...parts[1], mediaType: 'image/png', size: png.length, sources: ['file'] }, parts[2]],
      },
    ]);
    const at = `/conversations/${conversation}/files/${id}`;
    expect(await ask('ada', 'GET', `${at}?as=inline&filename=dot.png`)).toMatchObject({
      status: 200,
      body: { url: expect.stringMatching(/as=inline&filename=dot.png$/) },
    });
    for (const [user, path] of [
      ['eve', at],
      ['ada', `/conversations/${conversation}/files/f_${'A'.repeat(43)}`],
    ])
      expect(await ask(user!, 'GET', path!)).toMatchObject({ status: 404 });
    // Stored once: nothing is to be uploaded again.
    const again = (await ask('ada', 'POST', '/files', announced(png, 'image/png'))).body as Begun;
    expect(again).toMatchObject({ id, stored: true });
    expect(again.upload).toBeUndefined();
  });

  test('are of the type that their bytes show, and of documents, only PDFs are shown inline (R215, R271)', async () => {
    const text = await upload('eve', png, 'text/plain');
    expect(text.completed).toMatchObject({ status: 200, body: { mediaType: 'image/png' } });
    for (const type of ['image/png', 'application/pdf', 'video/mp4']) {
      const page = await upload('eve', Buffer.from(`<script>alert('${type}')</script>`), type);
      expect(page.completed).toMatchObject({ status: 200, body: { mediaType: 'text/plain' } });
    }
    for (const [type, text, shown] of [
      ['image/gif', '<script>alert(1)</script>', 'attachment'],
      ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'attachment'],
      ['text/html', '<script>alert(1)</script>', 'attachment'],
      ['application/pdf', '%PDF-1.7', 'inline'],
    ] as const) {
      const { id } = await upload('eve', Buffer.from(text), type);
      const { body: started } = await ask('eve', 'POST', '/conversations', {
        agent: 'tester',
        parts: [{ type: 'file', id }],
      });
      const path = `/conversations/${(started as { id: string }).id}/files/${id}?as=inline`;
      const { url } = (await ask('eve', 'GET', path)).body as { url: string };
      expect([type, url]).toEqual([type, expect.stringContaining(`as=${shown}`)]);
    }
  });

  test.each([
    [{ size: -1, mediaType: 'image/png', sha256: digestOf(png) }, 'size'],
    [{ size: 1_001, mediaType: 'image/png', sha256: digestOf(png) }, 'size'],
    [{ size: 1, mediaType: 'image/png\r\nx: y', sha256: digestOf(png) }, 'mediaType'],
    [{ size: 1, mediaType: 'image/png', sha256: 'short' }, 'sha256'],
    [{ size: 1, mediaType: 'image/png', sha256: digestOf(png), key: 'files/other' }, ''],
  ])('refuse %j, naming the field', async (body, path) => {
    expect(await ask('ada', 'POST', '/files', body)).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  test.each([
    [{ text: 'a', parts: [{ type: 'text', text: 'b' }] }, 'text'],
    [{}, 'text'],
    [{ parts: [{ type: 'file', id: 'f_short' }] }, 'parts.0.id'],
    [{ parts: [{ type: 'file', id: `f_${'B'.repeat(43)}` }] }, 'parts.0.id'],
    [{ parts: Array.from({ length: 40 }, () => ({ type: 'text', text: 'x'.repeat(3_000) })) }, 'parts'],
    [{ parts: [{ type: 'data' }] }, 'parts.0.data'],
    [{ parts: [{ type: 'data', data: JSON.parse('['.repeat(40) + ']'.repeat(40)) }] }, 'parts.0.data'],
    [{ parts: [{ type: 'data', data: { n: 1e200 } }] }, 'parts.0.data'],
  ])('are no part of a message that is wrong: %#', async (body, path) => {
    const { body: made } = await ask('ada', 'POST', '/conversations', { agent: 'tester' });
    const { id } = made as { id: string };
    const sent = await ask('ada', 'POST', `/conversations/${id}/messages`, body);
    expect(sent).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect((await ask('ada', 'GET', `/conversations/${id}`)).body).toMatchObject({ messages: [] });
  });
});
