import { changedAssembly, revoke } from './support/clouds/changed-assembly';
import { startVigil, type Vigil } from './support/clouds/vigil';
import { startBedrock } from './support/servers/bedrock-server';

// Amazon Bedrock by the role of CallModel: no key, and only the models that agents name.

describe('an agent whose model is at Bedrock (R133)', () => {
  let vigil: Vigil;
  let server: Awaited<ReturnType<typeof startBedrock>>;
  beforeAll(async () => {
    server = await startBedrock();
  });
  afterAll(() => server.stop());
  afterEach(() => vigil?.stop());
  const given = async (deployment?: string) => {
    const variables = { BEDROCK_BASE_URL: server.url, VIGIL_DEVELOPERS_GROUP: 'developers' };
    vigil = await startVigil({ variables, deployment });
  };

  test('has its guardrail: what that refuses is said in its owner’s words, and asked no more (R206)', async () => {
    const blocked = { actionReason: 'Guardrail blocked.', inputAssessment: { gr1abc: {} } };
    server.script([
      { blocks: [{ text: 'I cannot help with that.' }], stopReason: 'guardrail_intervened', trace: blocked },
      { blocks: [{ text: 'With this I can.' }] },
    ]);
    await given();
    const ada = await vigil.user();
    const { id } = await ada.start('at-guardrail', 'Which stocks shall I buy?');
    const refused = await ada.finished(id);
    const verdict = { guard: 'guardrail gr1abc', at: 'input', verdict: 'refused', reason: 'I cannot help with that.' };
    expect(refused.messages).toMatchObject([
      { text: 'Which stocks shall I buy?', guards: [verdict] },
      { text: 'I cannot help with that.', guards: [verdict] },
    ]);
    await ada.say(id, 'Something else');
    const done = await ada.until(id, ({ messages }) => messages.at(-1)!.text === 'With this I can.');
    expect(done.status).toBe('done');
    const [first, second] = server.requests.map(({ body }) => body);
    expect(first.guardrailConfig).toMatchObject({ guardrailIdentifier: 'gr1abc', streamProcessingMode: 'sync' });
    expect(JSON.stringify(second.messages)).not.toContain('stocks');
  });

  test('without the right to its guardrail, fails before anything is asked (R120, R206)', async () => {
    const deployment = changedAssembly((template) => revoke(template, 'CallModel', 'bedrock:ApplyGuardrail'));
    server.script([]);
    await given(deployment);
    const ada = await vigil.user();
    const { id } = await ada.start('at-guardrail', 'Hello');
    expect((await ada.finished(id)).run).toMatchObject({ status: 'failed' });
    expect(server.requests).toEqual([]);
  });

  test('may ask no model that no agent names (R120)', async () => {
    server.script([{ blocks: [{ text: 'Never.' }] }]);
    await given();
    const ada = await vigil.user('ada', ['developers']);
    const { id } = await ada.start('at-bedrock', 'Hello');
    await ada.finished(id);
    const model = 'amazon.nova-pro-v2:0';
    const { body } = await ada.request('POST', `/conversations/${id}/fork`, { step: 1, model });
    const { run } = await ada.finished((body as { id: string }).id);
    expect(run).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('does not allow this function to use'),
    });
    expect(server.requests).toHaveLength(1);
  });

  test('without the right, fails with what is missing (R120)', async () => {
    const deployment = changedAssembly((template) =>
      revoke(template, 'CallModel', 'bedrock:InvokeModelWithResponseStream'),
    );
    server.script([]);
    await given(deployment);
    const ada = await vigil.user();
    const { id } = await ada.start('at-bedrock', 'Hello');
    expect((await ada.finished(id)).run).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('Bedrock'),
    });
    expect(server.requests).toEqual([]);
  });
});
