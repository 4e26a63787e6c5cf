import { startVigil, type Vigil } from './support/clouds/vigil';
import { startAnthropic } from './support/servers/anthropic-server';
import { type ModelServer, startModelServer } from './support/servers/model-server';
import { call, wordsOf } from './support/stories/transcript';

// Anthropic's Messages API, by a key: what its model thinks is bound to the conversation that it followed.

const at = '2031-01-01T08:00:00Z';

describe('an agent whose model is at Anthropic (R205)', () => {
  let vigil: Vigil;
  let near: ModelServer;
  let server: Awaited<ReturnType<typeof startAnthropic>>;
  beforeAll(async () => {
    [server, near] = await Promise.all([startAnthropic(), startModelServer()]);
  });
  afterAll(() => Promise.all([server.stop(), near.stop()]));
  beforeEach(async () => {
    near.begin({});
    server.script([]);
    const variables = {
      ...{ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'k-anthropic' },
      NEAR_SERVER_BASE_URL: near.url,
    };
    vigil = await startVigil({ variables });
  });
  afterEach(() => vigil?.stop());
  const thoughtsOf = (request: number): string[] =>
    server.requests[request]!.body.messages.flatMap(({ content }: { content: { thinking?: string }[] }) =>
      content.flatMap(({ thinking }) => thinking ?? []),
    );

  test('sleeps, and goes on after a kill -9 with all that its model thought, accepted at once (R131)', async () => {
    server.script([
      { blocks: [{ thought: 'The clock.' }, { text: 'I look.' }, { id: 't', name: 'current_time', input: {} }] },
      { blocks: [{ thought: 'Until then.' }, { id: 's', name: 'schedule', input: { at } }] },
      { blocks: [{ thought: 'Now.' }, { text: 'The time has come.' }] },
      { blocks: [{ text: 'You are welcome.' }] },
    ]);
    const ada = await vigil.user();
    const { id } = await ada.start('at-anthropic', 'Wait');
    await ada.asleep(id);
    await vigil.kill();
    await vigil.restart();
    await vigil.advance('P1600D');
    const again = await vigil.user();
    await again.finished(id);
    const { seq } = await again.say(id, 'Thanks');
    const done = await again.until(
      id,
      ({ status, messages }) => status === 'done' && messages.some((one) => one.seq > seq),
    );
    expect(wordsOf(done).at(-1)).toEqual(['at-anthropic', 'You are welcome.']);
    expect(server.requests.map((_, request) => thoughtsOf(request))).toEqual([
      [],
      ['The clock.'],
      ['The clock.', 'Until then.'],
      ['The clock.', 'Until then.', 'Now.'],
    ]);
    expect(server.requests[0]!.headers.authorization).toBe('Bearer k-anthropic');
    expect(vigil.logs()).not.toMatch(/k-anthropic|The clock/);
    expect(vigil.model.calls).toBe(0);
  });

  test('hands off: its thoughts go to no other model, and are with it again when it is back (R132)', async () => {
    server.script([
      { blocks: [{ thought: 'Mine.' }, { id: 'h', name: 'hand_off_to_nearby', input: { reason: 'Closer.' } }] },
      { blocks: [{ text: 'Back again.' }] },
    ]);
    near.script([call('b', 'hand_off_to_at_anthropic', { reason: 'Yours.' })]);
    const ada = await vigil.user();
    const { id } = await ada.start('at-anthropic', 'Hello');
    expect(wordsOf(await ada.finished(id)).at(-1)).toEqual(['at-anthropic', 'Back again.']);
    expect(JSON.stringify(near.requests)).not.toContain('Mine.');
    expect(server.requests.map((_, request) => thoughtsOf(request))).toEqual([[], ['Mine.']]);
  });
});
