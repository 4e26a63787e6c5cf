import type { Item } from '../../core/base/content/items';
import type { Instructed } from '../../core/conversations/agent/agent';
import { defineAgent } from '../../core/conversations/agent/agent';
import { requestOf as messagesOf } from '../../modules/anthropic/request';
import { requestOf as converseOf } from '../../modules/bedrock/converse';
import { requestOf as chatOf } from '../../modules/openai/chat';
import { openaiModel } from '../../modules/openai/model';
import { requestOf as responsesOf } from '../../modules/openai/responses';
import { pdf, png, storedFiles } from '../../test/support/sample-files';
import { type ChatRequest, type ModelServer, startModelServer } from '../../test/support/servers/model-server';
import { namedFiles } from './refused-files';
import { mediaOf, shownItems } from './shown-files';

// R273: one bad file costs itself only.

const key = { get: async () => 'sk-secret-1234567890', replaced: async () => false };
const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'Look.', model: 'gpt-6.1-sol', tools: [] });
const limits = { images: 9, pdfs: 9, pages: 99, imageBytes: 1e6, pdfBytes: 1e6, bytes: 1e7 };
const picture = (grey: number) => png(2, 2, grey);
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Notes nothing of how files are read. */
const unnoted = {
  begin: async () => true,
  end: async () => undefined,
  refusal: async () => undefined,
  tell: () => undefined,
};

describe('a file that the provider refuses is left out alone (R273)', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.stop());

  /** A conversation with so many pictures, some of which the provider cannot open. */
  async function ask(
    count: number,
    bad: number[],
    named: (request: ChatRequest, picture: string) => string,
    known = new Map<string, string>(),
  ) {
    const files = storedFiles();
    const photos = Array.from({ length: count }, (_, index) => files.put('image/png', picture(index)));
    const items: Item[] = [
      { kind: 'message', by: 'user', text: 'The first', files: photos.slice(0, 1) },
      { kind: 'message', by: 'assistant', text: 'Yes?' },
      { kind: 'message', by: 'user', text: 'And these', files: photos.slice(1) },
    ];
    const sees = (request: ChatRequest, index: number) => JSON.stringify(request).includes(base64(picture(index)));
    const before = server.requests.length;
    server.script((request) => {
      const at = bad.find((index) => sees(request, index));
      if (at !== undefined)
        return {
          status: 400,
          error: {
            error: {
              message: named(request, base64(picture(at))),
              type: 'invalid_request_error',
              code: 'invalid_image',
            },
          },
        };
      const tokens = photos.filter((_, index) => sees(request, index)).length;
      return {
        text: 'I see.',
        usage: { prompt_tokens: 1_000 * tokens + 10, completion_tokens: 1, total_tokens: 1_000 * tokens + 11 },
      };
    });
    const pieces: string[] = [];
    const reading = {
      begin: async () => true,
      end: async () => undefined,
      refusal: async ({ id }: { id: string }) => known.get(id),
      tell: () => undefined,
      refused: async ({ id }: { id: string }, why: string) => void known.set(id, why),
    };
    const reply = await openaiModel(key, { baseURL: server.url }).reply({
      agent,
      items,
      readFile: files.readFile,
      reading,
      signal: new AbortController().signal,
      onText: (piece) => pieces.push(piece),
    });
    const asked = server.requests.slice(before);
    const last = asked.at(-1)!;
    const seen = photos.flatMap((_, index) => (sees(last, index) ? index : []));
    const refused = [...known.keys()].map((id) => photos.findIndex((photo) => photo.id === id));
    return { reply, pieces, asked, seen, refused: refused.sort(), known, words: JSON.stringify(last.messages) };
  }
  const nameless = () => 'The image data you provided does not represent a valid image.';
  function byPlace({ messages }: ChatRequest, of: string): string {
    const hasIt = (value: unknown) => JSON.stringify(value).includes(of);
    const message = messages.findIndex(hasIt);
    const part = (messages[message]!.content as object[]).findIndex(hasIt);
    return `Invalid image in 'messages[${message}].content[${part}].image_url.url'.`;
  }

  test.each<[string, number, number[], typeof byPlace | typeof nameless, number]>([
    ['the only one', 1, [0], nameless, 2],
    ['the newest', 5, [4], nameless, 2],
    ['one that is named by its place, whichever it is', 5, [2], byPlace, 2],
    ['several that are named', 5, [0, 2, 3], byPlace, 4],
  ])('%s', async (_, count, bad, named, requests) => {
    const { reply, asked, seen, refused, words } = await ask(count, bad, named);
    expect(reply.text).toBe('I see.');
    expect(asked).toHaveLength(requests);
    expect([...seen, ...refused].sort()).toEqual([...Array(count).keys()]);
    expect(refused).toEqual(bad);
    expect(words).toMatch(/is not shown: the provider has refused it: .{1,6}The model's server rejected the request/);
  });

  test.each([
    [5, [2]],
    [5, [1, 3]],
    [6, [0, 5]],
    [4, [0, 1, 2, 3]],
    [9, [1, 2, 3]],
  ])('of %d that nothing names, %j are found by halves, and the others are seen', async (count, bad) => {
    const { reply, pieces, asked, seen, refused } = await ask(count, bad, nameless);
    expect(refused).toEqual(bad);
    expect([...seen, ...refused].sort()).toEqual([...Array(count).keys()]);
    // What is said of a few files alone is not part of the reply, and is paid.
    expect([reply.text, pieces.join('')]).toEqual(['I see.', 'I see.']);
    expect(reply.usage.modelCalls).toBeGreaterThan(seen.length > 0 ? 1 : 0);
    expect(reply.usage.inputTokens).toBe(2_000 * seen.length + 10 * reply.usage.modelCalls);
    expect(asked.length).toBeLessThanOrEqual(3 + 2 * count);
  });

  test('what is known is not sent again, so the next request is taken at once', async () => {
    const first = await ask(5, [1, 3], nameless);
    const second = await ask(5, [1, 3], nameless, first.known);
    expect(second.asked).toHaveLength(1);
    expect([second.seen, second.words]).toEqual([[0, 2, 4], first.words]);
  });

  test('files that are refused only together are all left out of this request, and of no other', async () => {
    server.script((request) => {
      const pictures = JSON.stringify(request).split('data:image').length - 1;
      return pictures > 1 ? { status: 400, error: { error: { message: 'Too many images.' } } } : { text: 'I see.' };
    });
    const files = storedFiles();
    const photos = [1, 2, 3].map((grey) => files.put('image/png', picture(grey)));
    const refused = jest.fn(async () => undefined);
    const { text } = await openaiModel(key, { baseURL: server.url }).reply({
      agent,
      items: [{ kind: 'message', by: 'user', text: 'Look', files: photos }],
      readFile: files.readFile,
      reading: { ...unnoted, refused },
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    expect([text, refused.mock.calls]).toEqual(['I see.', []]);
    expect(JSON.stringify(server.requests.at(-1)).split('is not shown')).toHaveLength(4);
  });

  test('a refusal that goes on without the file is not noted: it was about something else', async () => {
    server.script(() => ({ status: 400, error: { error: { message: 'The file search is not available.' } } }));
    const files = storedFiles();
    const refused = jest.fn(async () => undefined);
    const before = server.requests.length;
    const asked = openaiModel(key, { baseURL: server.url }).reply({
      agent,
      items: [{ kind: 'message', by: 'user', text: 'Look', files: [files.put('image/png', picture(1))] }],
      readFile: files.readFile,
      reading: { ...unnoted, refused },
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    await expect(asked).rejects.toMatchObject({ name: 'ModelRejected' });
    expect([server.requests.length - before, refused.mock.calls]).toEqual([2, []]);
  });

  test('the text of a document stands in for one that is refused, and says why', async () => {
    const files = storedFiles();
    const paper = files.put('application/pdf', pdf('One'));
    const items: Item[] = [{ kind: 'message', by: 'user', text: 'Read', files: [paper] }];
    const readText = async () => ({ text: 'All that it says', pages: 1, isWhole: true });
    const why = () => 'The model\'s server rejected the request (400): bad "PDF"';
    const [shown] = await shownItems({ agent, items, readFile: files.readFile }, limits, { why, readText });
    expect(mediaOf(shown!)).toEqual([]);
    expect(shown).toMatchObject({
      text: expect.stringMatching(
        /only its text, because the provider has refused it: "The .*\\"PDF\\""\] .*\n"All that it says"/s,
      ),
    });
  });
});

describe('the files that a provider names (R273)', () => {
  const made = async () => {
    const files = storedFiles();
    const [one, two, three, four] = [1, 2, 3, 4].map((grey) => files.put('image/png', picture(grey)));
    const paper = files.put('application/pdf', pdf('One'));
    const items: Item[] = [
      { kind: 'message', by: 'user', text: 'Look', files: [one!, two!] },
      { kind: 'call', id: 'c1', tool: 'draw', arguments: '{}' },
      { kind: 'result', callId: 'c1', text: 'Drawn', files: [three!, four!] },
      { kind: 'message', by: 'assistant', text: 'So?' },
      { kind: 'message', by: 'user', text: 'Read', files: [paper] },
    ];
    const readText = async () => ({ text: 'One', pages: 1, isWhole: true });
    const both: Instructed = { ...agent, model: { ...agent.model, takes: ['image', 'pdf'] } as never };
    const shown = await shownItems({ agent: both, items, readFile: files.readFile }, limits, { readText });
    const names = new Map([one, two, three, four, paper].map((file, index) => [file!.id, index + 1]));
    return { asking: { agent: both, items: shown }, media: shown.flatMap(mediaOf), names, paper };
  };

  test.each([
    ['messages', 'messages.0.content.2.image.source.base64.data: bad', [2]],
    ['messages', 'messages.2.content.0.tool_result.content.1.image.source.base64.data: bad', [3]],
    ['messages', 'messages.4.content.1.pdf.source.base64.data: The PDF specified was not valid.', [5]],
    ['messages', 'messages.0.content: too many images', []],
    ['messages', 'messages.9.content.1.image: bad', []],
    ['converse', 'messages.0.content.1.image.source.base64: bad', [1]],
    ['chat', "Invalid 'messages[1].content[2].image_url.url'.", [2]],
    ['chat', 'messages.[4].content.[1].image_url', [3]],
    ['responses', 'input[0].content[1].image_url', [1]],
    ['responses', "Invalid 'input[2].output[2].image_url'", [4]],
    ['responses', 'input: bad', []],
    ['responses', 'The file f_paper.pdf is encrypted.', [5]],
  ] as const)('%s: %s', async (api, said, expected) => {
    const { asking, media, names, paper } = await made();
    const requests = { messages: messagesOf, converse: converseOf, chat: chatOf, responses: responsesOf };
    const found = namedFiles(requests[api](asking as never), said.replace('f_paper', paper.id), media);
    expect(found.map((id) => names.get(id))).toEqual(expected);
  });
});
