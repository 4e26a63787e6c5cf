import { VigilAgent } from 'vigil-client/ag-ui';
import type { VigilUIMessage } from 'vigil-client/ai-sdk';
import { tokenFor } from './support/api-client';
import { bundled } from './support/clouds/bundled';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startThirdParty, type ThirdParty } from './support/servers/third-party';
import { call } from './support/stories/transcript';

// Other people's clients over the public API: `useChat` of the AI SDK, AG-UI's agent, and plain server-sent events.

type Clients = typeof import('./support/stories/stream-clients');
type Chat = InstanceType<Clients['Chat']>;

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

describe('streams that others speak', () => {
  let vigil: Vigil;
  let party: ThirdParty;
  let clients: ReturnType<typeof bundled<Clients>>;
  beforeAll(async () => {
    clients = bundled<Clients>('test/support/stories/stream-clients.ts');
    [vigil, party] = await Promise.all([startVigil(), startThirdParty()]);
  });
  afterAll(() => Promise.all([clients?.remove(), vigil?.stop(), party?.stop()]));

  const token = (name = 'ada') => tokenFor(vigil.url, vigil.idOf(name));
  const connection = (waitSeconds?: number) => ({ url: vigil.url, token: () => token(), agent: 'tester', waitSeconds });

  /** A page that shows the chat: `history` is what it loads. */
  async function page(id: string, { agent = 'tester', waitSeconds }: { agent?: string; waitSeconds?: number } = {}) {
    const { Chat, vigilTransport, sendsDecisions } = clients.exports;
    const transport = vigilTransport({ ...connection(waitSeconds), agent });
    const messages = await transport.history(id);
    return new Chat<VigilUIMessage>({
      id,
      transport,
      messages,
      sendAutomaticallyWhen: sendsDecisions,
    }) as unknown as Chat;
  }
  async function until(what: string, holds: () => boolean): Promise<void> {
    for (const end = Date.now() + 90_000; !holds(); ) {
      if (Date.now() > end) throw new Error(`Not in time: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const parts = (chat: Chat) => (chat.lastMessage?.parts ?? []) as VigilUIMessage['parts'];
  const texts = (chat: Chat) => parts(chat).flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []));
  const tools = (chat: Chat) => parts(chat).flatMap((part) => (part.type === 'dynamic-tool' ? [part] : []));
  const rest = (chat: Chat) =>
    parts(chat)
      .flatMap((part) => (part.type === 'data-run' ? [part.data] : []))
      .at(-1);
  const atRest = (chat: Chat, status: string) =>
    until(
      `${status}: ${JSON.stringify(parts(chat))} ${chat.error}`,
      () => chat.status === 'ready' && rest(chat)?.status === status,
    );
  /** What is shown, without where it came from. The part about the run is where the first rest was. */
  const shown = (chat: Chat) =>
    (JSON.parse(JSON.stringify(chat.messages)) as VigilUIMessage[]).map(({ id, role, parts: all }) => {
      const isRun = (part: (typeof all)[number]) => part.type === 'data-run';
      return { id, role, parts: [...all.filter((part) => !isRun(part)), ...all.filter(isRun)] };
    });

  const pays = (cents = 10_001) => call('c', 'pay', { url: party.url, cents });
  const asks = call('q', 'ask_user', { question: 'Window or aisle?' });

  test('useChat: text, a tool, an approval and a question; a page that is loaded meanwhile shows the same (R178)', async () => {
    const effects = party.effects;
    vigil.model.script([
      { text: 'I pay now. Wait, please. ', ...pays(), holdAfter: 12 },
      asks,
      { text: 'Done.' },
      { text: 'You are welcome.' },
    ]);
    const id = `chat-${Date.now()}`;
    const first = await page(id);
    void first.sendMessage({ text: 'Pay' });
    await vigil.model.held();
    await until('the first sentence', () => texts(first)[0] === 'I pay now.');
    expect(first.status).toBe('streaming');

    // Each of its answers ends at once, like one at the gateway's limit: it asks again and again.
    const second = await page(id, { waitSeconds: 0 });
    expect(second.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    void second.resumeStream();
    await until(
      'the stream of the second page',
      () => second.status === 'streaming' && texts(second)[0] === 'I pay now.',
    );
    vigil.model.release();
    await Promise.all([atRest(first, 'waiting'), atRest(second, 'waiting')]);
    for (const chat of [first, second])
      expect(tools(chat)).toMatchObject([
        {
          toolName: 'pay',
          state: 'approval-requested',
          input: { cents: 10_001 },
          approval: { requestReason: expect.stringMatching(/^Pay\?\ncents: 10001\n/) },
        },
      ]);
    expect(shown(second)).toEqual(shown(first));

    await second.addToolApprovalResponse({ id: tools(second)[0]!.approval!.id, approved: true });
    await until('the question', () => second.status === 'ready' && tools(second).length === 2);
    expect(tools(second)).toMatchObject([
      { toolName: 'pay', state: 'output-available', output: { paid: 10_001 } },
      { toolName: 'ask_user', state: 'input-available', input: { question: 'Window or aisle?' } },
    ]);

    const third = await page(id);
    expect(shown(third)).toEqual(shown(second));
    await third.addToolOutput({ tool: 'ask_user', toolCallId: tools(third)[1]!.toolCallId, output: 'Window' } as never);
    await atRest(third, 'done');
    expect(tools(third)[1]).toMatchObject({ state: 'output-available', output: 'Window' });
    expect(texts(third)).toEqual(['I pay now. Wait, please.', 'Done.']);
    expect(shown(await page(id))).toEqual(shown(third));
    expect(party.effects - effects).toBe(1);
    // What one page asks, the others show with its answer.
    await third.sendMessage({ text: 'Thanks' });
    await first.resumeStream();
    await until('the answer', () => texts(first).includes('You are welcome.'));
    const [question] = first.messages.at(-1)!.parts.filter(({ type }) => type !== 'step-start');
    expect(question).toMatchObject({ type: 'data-message', data: { role: 'user', text: 'Thanks' } });
    await third.resumeStream();
    expect(third.messages.at(-1)!.parts.some(({ type }) => type === 'data-message')).toBe(false);
    expect((await (await vigil.user()).list()).conversations.filter((one) => one.id.endsWith(id))).toHaveLength(1);
  });

  test('useChat and AG-UI: files go in, open again, and both show the same on another page (R216)', async () => {
    vigil.model.script([{ text: 'A dot.' }]);
    const id = `files-${Date.now()}`;
    const chat = await page(id);
    await chat.sendMessage({
      text: 'What is it?',
      files: [{ type: 'file', mediaType: 'image/png', filename: 'dot.png', url: `data:image/png;base64,${dot}` }],
    });
    await atRest(chat, 'done');
    const again = await page(id);
    const stored = expect.stringMatching(/^vigil:f_/);
    const providerMetadata = { vigil: { size: 70, sources: ['file'] } };
    expect(again.messages[0]).toMatchObject({
      role: 'user',
      parts: [
        { type: 'file', mediaType: 'image/png', filename: 'dot.png', url: stored, providerMetadata },
        { type: 'text', text: 'What is it?' },
      ],
    });
    const [file] = clients.exports.filesOfMessage(again.messages[0] as VigilUIMessage);
    const transport = clients.exports.vigilTransport(connection());
    const { url } = await transport.fileAddress(id, file!, 'inline');
    expect(Buffer.from(await (await fetch(url)).arrayBuffer()).toString('base64')).toBe(dot);
    await expect(transport.fileAddress(id, { url })).rejects.toThrow('no reference to a file of Vigil');

    // What a page has of another one goes out as it came in: nothing is uploaded twice, and nothing is lost.
    const copy = await page(`${id}-copy`);
    vigil.model.script([{ text: 'The same.' }]);
    const parts = [...again.messages[0]!.parts, { type: 'data-json', data: { from: id } }] as VigilUIMessage['parts'];
    await copy.sendMessage({ parts } as never);
    await atRest(copy, 'done');
    expect((await page(`${id}-copy`)).messages[0]!.parts).toEqual(parts);

    vigil.model.script([{ text: 'And a table.' }]);
    const threadId = id;
    const agent = new VigilAgent({ ...connection(), threadId });
    await agent.connectAgent();
    const [picture] = agent.messages[0]!.content as unknown as [{ source: { value: string } }];
    agent.addMessage({
      id: 'm-files',
      role: 'user',
      content: [
        { type: 'text', text: 'And these?' },
        {
          type: 'document',
          source: { type: 'data', value: btoa('a,b'), mimeType: 'text/csv' },
          metadata: { filename: 'a.csv' },
        },
        { ...picture, type: 'image' } as never,
      ],
    });
    await agent.runAgent();
    const elsewhere = new VigilAgent({ ...connection(), threadId });
    await elsewhere.connectAgent();
    const source = { type: 'file', provider: 'vigil', value: expect.stringMatching(/^f_/) };
    // People read what the model does not see.
    const unseen = '[The file "dot.png" was left out: this model takes no pictures.]';
    const dotShown = { type: 'image', source: { ...source, mimeType: 'image/png' } };
    expect(elsewhere.messages.map(({ content }) => content)).toEqual([
      [
        { ...dotShown, metadata: { size: 70, filename: 'dot.png', sources: ['file'] } },
        { type: 'text', text: 'What is it?' },
      ],
      `A dot.\n\n${unseen}`,
      [
        { type: 'text', text: 'And these?' },
        {
          type: 'document',
          source: { ...source, mimeType: 'text/csv' },
          metadata: { size: 3, filename: 'a.csv', sources: ['file'] },
        },
        { ...dotShown, metadata: expect.objectContaining({ size: 70 }) },
      ],
      `And a table.\n\n${unseen}`,
    ]);
    const { url: opened } = await elsewhere.fileAddress(picture.source.value, { as: 'inline' });
    expect((await fetch(opened)).headers.get('content-type')).toBe('image/png');
    // The other dialect has them as well.
    expect(clients.exports.filesOfMessage((await page(id)).messages[2] as VigilUIMessage)).toHaveLength(2);
  });

  test('rows as server-sent events: to the end and no further; whose they are, and what is refused (R178, R124)', async () => {
    vigil.model.script([{ text: 'One. Two. ', holdAfter: 5 }]);
    const ada = await vigil.user();
    const { id } = await ada.start('tester', 'Say\n\ndata: {"type":"finish"}\n\n');
    await vigil.model.held();
    const get = async (query = '', headers: Record<string, string> = {}, name = 'ada') => {
      const authorization = `Bearer ${await token(name)}`;
      const answer = await fetch(`${vigil.url}/conversations/${id}/stream${query}`, {
        headers: { authorization, ...headers },
      });
      const text = await answer.text();
      return {
        status: answer.status,
        type: answer.headers.get('content-type'),
        text,
        lastId: /^id: (.*)$/m.exec(text)?.[1],
      };
    };
    const first = await get('?wait=0');
    expect([first.status, first.type]).toEqual([200, 'text/event-stream']);
    vigil.model.release();
    const done = await ada.finished(id);
    const second = await get('', { 'last-event-id': first.lastId! });
    expect(second.text).toContain('event: rest\ndata: {"status":"done"');
    const rows = [first, second].flatMap(({ text }) =>
      [...text.matchAll(/^event: row\ndata: (.*)$/gm)].map(([, json]) => JSON.parse(json!)),
    );
    expect(rows.filter(({ kind }) => kind === 'message').at(-1).row).toEqual(done.messages.at(-1));
    expect((await get('', { 'last-event-id': second.lastId! })).status).toBe(204);
    expect((await get('?as=ai-sdk&after=1')).text).toContain('{"type":"text-delta","id":"m2","delta":"One. Two. "}');

    expect((await get('', {}, 'eve')).status).toBe(404);
    for (const [name, query, headers] of [
      ['as', '?as=xml'],
      ['wait', '?wait=60'],
      ['after', '?after=x'],
      ['Last-Event-ID', '', { 'last-event-id': 'x' }],
    ] as [string, string, Record<string, string>?][]) {
      const { status, text } = await get(query, headers);
      expect([status, JSON.parse(text).detail]).toEqual([400, expect.stringContaining(name)]);
    }
  });
});
