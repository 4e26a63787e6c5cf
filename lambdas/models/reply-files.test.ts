import type { Item } from '../../core/base/content/items';
import { hosted } from '../../core/base/models/hosted';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { MadeFile } from '../../core/conversations/agent/model';
import { bedrockModel } from '../../modules/bedrock/model';
import { openaiModel } from '../../modules/openai/model';
import { pdf, png } from '../../test/support/sample-files';
import { startOwnBedrock } from '../../test/support/servers/bedrock-server';
import { type ModelServer, type Reply, startModelServer } from '../../test/support/servers/model-server';
import { fileOf, pictureAt } from './made-file';

// The files of replies, by each API that gives any.

const key = { get: async () => 'sk-secret', replaced: async () => false };
const spec = { name: 'a', purpose: 'p', instructions: 'Draw.', tools: [] };
const hi: Item = { kind: 'message', by: 'user', text: 'Draw a cat.' };
const { signal } = new AbortController();
const picture = png();
const base64 = picture.toString('base64');
const dataUrl = `data:image/png;base64,${base64}`;
const madePng = { bytes: picture, mediaType: 'image/png', filename: 'picture.png' };
/** As tests compare bytes. */
const shown = (files: MadeFile[] = []) =>
  files.map((file) => ('bytes' in file ? { ...file, bytes: Buffer.from(file.bytes) } : file));

describe('files of a reply by OpenAI (R210, R212)', () => {
  const tools = [
    hosted.codeInterpreter(),
    hosted.imageGeneration({ size: '1024x1024', format: 'png', quality: 'low' }),
  ];
  const provider = defineProvider({ name: 'router', kind: 'chat', baseUrl: 'https://router.example/v1' });
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.stop());
  /** @param of.fileBytes 0: the deployment stores no files. */
  const ask = (reply: Reply, { items = [hi], fileBytes = 1_000_000 } = {}) => {
    server.script([reply]);
    const agent = defineAgent({ ...spec, tools, model: 'gpt-6.1-terra' });
    return openaiModel(key, { baseURL: server.url, api: 'responses' }).reply({
      agent,
      items,
      fileBytes: fileBytes || undefined,
      signal,
      onText: () => undefined,
    });
  };
  beforeEach(() => server.begin({}));
  const drawn = (result: string, id = 'ig_1') => ({
    type: 'image_generation_call',
    id,
    status: 'completed',
    output_format: 'png',
    result,
    revised_prompt: 'A cat, drawn',
  });

  test('a drawn picture is a file; neither it nor the reasoning before it goes back', async () => {
    const reply = await ask({ thought: 'I draw.', hosted: [drawn(base64)], text: 'Here.' });
    expect(reply).toMatchObject({
      text: 'Here.',
      hosted: [{ tool: 'image_generation', input: 'A cat, drawn', status: 'completed', sources: [] }],
    });
    expect(shown(reply.files)).toEqual([madePng]);
    expect(JSON.stringify(reply.opaque ?? '')).not.toMatch(/image_generation|encrypted/);
    expect(server.requests[0]!.hostedTools).toEqual([
      { type: 'code_interpreter', container: { type: 'auto' } },
      { type: 'image_generation', size: '1024x1024', quality: 'low', output_format: 'png' },
    ]);
    const said: Item = { kind: 'message', by: 'assistant', text: 'Here.', opaque: reply.opaque };
    await ask({ text: 'Bye.' }, { items: [hi, JSON.parse(JSON.stringify(said)), { ...hi, text: 'Thanks' }] });
    expect(server.requests.at(-1)!.input!.map(({ type }) => type)).toEqual(['message', 'message', 'message']);
  });

  test('of a picture whose bytes are none, there are words', async () => {
    const reply = await ask({ hosted: [drawn(Buffer.from('<svg/>').toString('base64'))], text: 'Here.' });
    expect(reply.files).toEqual([{ problem: 'Its bytes are not those of a PNG, JPEG, GIF or WebP picture.' }]);
  });

  const cited = (file_id: string, filename: string, container_id = 'cntr_1') => ({
    type: 'container_file_citation',
    container_id,
    file_id,
    filename,
    start_index: 0,
    end_index: 1,
  });
  const program = (outputs: object[]) => ({
    type: 'code_interpreter_call',
    code: 'plot()',
    container_id: 'cntr_1',
    outputs,
  });

  test('a program’s files are fetched with the key, each once, and are no citations', async () => {
    server.containers.set('cntr_1/cfile_1', { bytes: Buffer.from('a,1\n'), statuses: [503] });
    const outputs = [
      { type: 'logs', logs: 'done' },
      { type: 'image', url: dataUrl },
    ];
    const reply = await ask({
      thought: 'A plot.',
      hosted: [program(outputs)],
      text: 'See sum.csv.',
      annotations: [cited('cfile_1', 'sum.csv'), cited('cfile_1', 'sum.csv')],
    });
    expect(shown(reply.files)).toEqual([
      madePng,
      { bytes: Buffer.from('a,1\n'), mediaType: 'text/csv', filename: 'sum.csv' },
    ]);
    expect(reply.citations).toBeUndefined();
    // What goes back has no bytes.
    expect(JSON.stringify(reply.opaque)).toContain('"logs":"done"');
    expect(JSON.stringify(reply.opaque)).not.toContain(base64);
  });

  test('what cannot be fetched or is too large becomes words, and the reply stays', async () => {
    server.containers.set('cntr_1/cfile_2', { bytes: Buffer.alloc(2_000) });
    const reply = await ask(
      {
        hosted: [program([])],
        text: 'See.',
        annotations: [
          cited('cfile_1', 'gone.csv'),
          cited('cfile_2', 'large.bin'),
          cited('../secret', 'x'),
          cited('a/../..', 'y'),
          cited('cfile_3', 'z', 'https://evil.example'),
        ],
      },
      { fileBytes: 1_000 },
    );
    expect(reply.text).toBe('See.');
    expect(reply.files).toEqual([
      { filename: 'gone.csv', problem: "The model's provider has deleted it." },
      { filename: 'large.bin', problem: 'It has more than the 1000 bytes that are left for it.' },
    ]);
    const none = await ask(
      { hosted: [program([])], text: 'See.', annotations: [cited('cfile_2', 'large.bin')] },
      { fileBytes: 0 },
    );
    expect(none.files).toMatchObject([{ problem: 'This deployment stores no files.' }]);
  });

  test('a server of chat completions gives pictures as OpenRouter does; an address elsewhere is not asked', async () => {
    const elsewhere = `${server.url}/models`;
    server.script([{ text: 'Here.', images: [dataUrl, dataUrl, elsewhere] }]);
    const agent = defineAgent({
      ...spec,
      model: { provider, name: 'painter', extra: { modalities: ['image', 'text'] } },
    });
    const reply = await openaiModel(key, { baseURL: server.url }).reply({
      agent,
      items: [hi],
      fileBytes: 1_000,
      signal,
      onText: () => undefined,
    });
    expect(shown(reply.files)).toEqual([madePng, { problem: "The model's server gave an address of it only." }]);
    expect(server.requests[0]).toMatchObject({ modalities: ['image', 'text'] });
  });
});

describe('files of a reply by Amazon Bedrock (R210, R212)', () => {
  let server: Awaited<ReturnType<typeof startOwnBedrock>>;
  beforeAll(async () => {
    server = await startOwnBedrock();
  });
  afterAll(() => server.stop());

  test('a picture that comes in pieces is a file; the reasoning before it does not go back', async () => {
    server.script([
      {
        blocks: [
          { text: 'Here.' },
          { thought: 'I draw.', signature: 'sig' },
          { format: 'png', pieces: [picture.subarray(0, 20), picture.subarray(20)] },
          { format: 'png', pieces: [picture.subarray(0, 20)], error: 'The picture failed.' },
        ],
      },
    ]);
    const provider = defineProvider({ name: 'bedrock', kind: 'bedrock' });
    const agent = defineAgent({ ...spec, model: { provider, name: 'amazon.nova-2-omni-v1:0' } });
    const reply = await bedrockModel(provider as never).reply({
      agent,
      items: [hi],
      fileBytes: 1_000,
      signal,
      onText: () => undefined,
    });
    expect(reply.text).toBe('Here.');
    expect(shown(reply.files)).toEqual([madePng, { problem: 'Amazon Bedrock has not sent it.' }]);
    expect(reply.opaque).toBeUndefined();
  });
});

describe('a file is what its bytes are (R211)', () => {
  test.each([
    ['photo.png', Buffer.from('<script>'), 'text/plain'],
    ['photo.csv', picture, 'image/png'],
    ['x.bin', pdf('A'), 'application/pdf'],
    ['a.csv', Buffer.from('a,1'), 'text/csv'],
    ['a.csv', Buffer.from([1, 2, 0, 255, 3]), 'application/octet-stream'],
    ['a.csv', Buffer.from('\ufeffa,b', 'utf16le'), 'text/csv'],
    ['a.xlsx', Buffer.from('not a zip'), 'text/plain'],
    ['a.xlsx', Buffer.from('PK\x03\x04…'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['constructor', Buffer.from('a'), 'text/plain'],
    ['a.constructor', Buffer.from('a'), 'text/plain'],
    ['', Buffer.from('a'), 'text/plain'],
  ])('%j of %j is %s', (name, bytes, mediaType) => {
    expect(fileOf(bytes, name)).toMatchObject({ mediaType, bytes });
  });

  test('an address that has no bytes gives none', () => {
    for (const url of [
      '',
      'data:image/png;base64,',
      'data:text/html,<b>',
      'https://x.example/a.png',
      'file:///etc/passwd',
    ])
      expect(pictureAt(url)).toHaveProperty('problem');
  });
});
