import { startVigil } from './support/clouds/vigil';
import { startBedrock } from './support/servers/bedrock-server';
import { stopAfterEach } from './support/stop-after-each';

// Amazon Bedrock by the role of CallModel: no key, and only the models that agents name.

const stopped = stopAfterEach();

test('an agent whose model is at Bedrock has its guardrail: what that refuses is said in its owner’s words, and asked no more; a model that no agent names may not be asked (R120, R133, R206)', async () => {
  const server = stopped(await startBedrock());
  const blocked = { actionReason: 'Guardrail blocked.', inputAssessment: { gr1abc: {} } };
  server.script([
    { blocks: [{ text: 'I cannot help with that.' }], stopReason: 'guardrail_intervened', trace: blocked },
    { blocks: [{ text: 'With this I can.' }] },
  ]);
  const variables = { BEDROCK_BASE_URL: server.url, VIGIL_DEVELOPERS_GROUP: 'developers' };
  const vigil = stopped(await startVigil({ variables }));
  const ada = await vigil.user('ada', ['developers']);
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

  const model = 'amazon.nova-pro-v2:0';
  const { body } = await ada.request('POST', `/conversations/${id}/fork`, { step: 1, model });
  const { run } = await ada.finished((body as { id: string }).id);
  expect(run).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('does not allow this function to use'),
  });
  expect(server.requests).toHaveLength(2);
});
