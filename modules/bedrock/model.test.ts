import type { Item } from '../../core/base/content/items';
import { defineProvider } from '../../core/base/models/provider';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { ModelRequest } from '../../core/conversations/agent/model';
import { png, storedFiles } from '../../test/support/sample-files';
import { type BedrockReply, startOwnBedrock } from '../../test/support/servers/bedrock-server';
import { currentTime } from '../../tools/current-time';
import { schedule } from '../../tools/timers/schedule';
import { bedrockModel } from './model';

const provider = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const spec = { name: 'a', purpose: 'p', instructions: 'Be good.', tools: [currentTime, schedule] };
const claude = { provider, name: 'us.anthropic.claude-sonnet-5' };
const agent = defineAgent({
  ...spec,
  model: { ...claude, maxOutputTokens: 500, extra: { thinking: { type: 'adaptive' } } },
});
const hi: Item = { kind: 'message', by: 'user', text: 'Hi' };
const ask = async (items: Item[] = [hi], asked = agent, readFile?: ModelRequest['readFile']) => {
  const signal = new AbortController().signal;
  return bedrockModel(provider).reply({ agent: asked, items, readFile, signal, onText: () => undefined });
};

describe('Amazon Bedrock (R133)', () => {
  let server: Awaited<ReturnType<typeof startOwnBedrock>>;
  beforeAll(async () => {
    server = await startOwnBedrock();
  });
  afterAll(() => server.stop());
  const reply = (scripted: BedrockReply, items?: Item[]) => {
    server.script([scripted]);
    return ask(items);
  };

  test('the request is Converse’s, and signed', async () => {
    await reply({ blocks: [{ text: 'Hello.' }] });
    const [{ path, authorization, body }] = server.requests as [(typeof server.requests)[0]];
    expect(path).toBe('/model/us.anthropic.claude-sonnet-5/converse-stream');
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=test\/.*\/bedrock\/aws4_request/);
    expect(body).toMatchObject({
      system: [{ text: 'Be good.' }],
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      inferenceConfig: { maxTokens: 500 },
      additionalModelRequestFields: { thinking: { type: 'adaptive' } },
      toolConfig: { tools: [{ toolSpec: { name: 'current_time' } }, {}] },
    });
  });

  test('instructions that are empty are left out, because an empty text is refused (R275)', async () => {
    server.script([{ blocks: [{ text: 'Hello.' }] }]);
    await bedrockModel(provider).reply({
      agent: { ...agent, instructions: ' ' },
      items: [{ kind: 'message', by: 'user', text: 'Hi' }],
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    expect(server.requests.at(-1)!.body).not.toHaveProperty('system');
  });

  test('of a model that takes no pictures in results, they follow the results (R212)', async () => {
    const files = storedFiles();
    const other = defineAgent({ ...spec, model: { provider, name: 'meta.llama4-maverick', takes: ['image'] } });
    const called = ['a', 'b'].map((id): Item => ({ kind: 'call', id, tool: 'current_time', arguments: '{}' }));
    const answered = ['a', 'b'].map(
      (callId, grey): Item => ({
        kind: 'result',
        callId,
        text: 'Here',
        files: [files.put('image/png', png(2, 2, grey))],
      }),
    );
    server.script([{ blocks: [{ text: 'I see.' }] }]);
    expect((await ask([hi, ...called, ...answered], other, files.readFile)).text).toBe('I see.');
    const [{ body }] = server.requests as [(typeof server.requests)[0]];
    expect(body.messages.at(-1).content.map((block: object) => Object.keys(block)[0])).toEqual([
      'toolResult',
      'toolResult',
      'text',
      'image',
      'image',
    ]);
  });

  describe('a guardrail (R206)', () => {
    const guarded = defineAgent({ ...spec, model: { ...claude, guardrail: { id: 'gr1abc', version: '3' } } });
    const intervened = (scripted: BedrockReply) => {
      server.script([{ stopReason: 'guardrail_intervened', ...scripted }]);
      return ask([hi], guarded);
    };

    test('it is in Converse’s own field, and pieces are sent when they have passed', async () => {
      server.script([{ blocks: [{ text: 'Hello.' }] }]);
      expect(await ask([hi], guarded)).toMatchObject({ text: 'Hello.' });
      const [{ body }] = server.requests as [(typeof server.requests)[0]];
      const sync = { trace: 'enabled', streamProcessingMode: 'sync' };
      expect(body.guardrailConfig).toEqual({ guardrailIdentifier: 'gr1abc', guardrailVersion: '3', ...sync });
      expect(body.additionalModelRequestFields).toBeUndefined();
    });

    test('what it refuses has the words of its owner, and the trace says whether it was the message', async () => {
      const text = [{ text: 'I cannot help with that.' }];
      const reason = { guard: 'guardrail gr1abc', verdict: 'refused', reason: 'I cannot help with that.' };
      const found = { gr1abc: { topicPolicy: { topics: [{ name: 'Stocks' }] } } };
      for (const [trace, at] of [
        [{ actionReason: 'Guardrail blocked.', inputAssessment: found }, 'input'],
        [{ actionReason: 'Guardrail blocked.', outputAssessments: { gr1abc: [{}] } }, 'output'],
        [undefined, 'output'],
      ] as const)
        expect(await intervened({ blocks: text, trace })).toMatchObject({
          text: '',
          toolCalls: [],
          guardrail: { ...reason, at },
        });
    });

    test('a masked reply is said as it is', async () => {
      const trace = { actionReason: 'Guardrail masked.', outputAssessments: { gr1abc: [{}] } };
      expect(await intervened({ blocks: [{ text: 'Write to {EMAIL}.' }], trace })).toMatchObject({
        text: 'Write to {EMAIL}.',
        guardrail: { at: 'output', verdict: 'replaced' },
      });
    });

    test('another place for it, another provider and a wrong id stop the build', () => {
      const wrong = (model: object) => () => defineAgent({ ...spec, model: { ...claude, ...model } });
      expect(wrong({ extra: { guardrailConfig: {} } })).toThrow(
        'agent a: model.extra.guardrailConfig: no model reads it there: use "guardrail: { id, version }"',
      );
      for (const provider of [undefined, defineProvider({ name: 'claude', kind: 'anthropic' })])
        expect(wrong({ provider, extra: { guardrailConfig: {} } })).toThrow(
          'model.extra.guardrailConfig: no model reads',
        );
      expect(wrong({ guardrail: { id: 'My guardrail', version: '1' } })).toThrow('model.guardrail.id: must be');
      expect(wrong({ guardrail: { id: 'a1', version: 'latest' } })).toThrow('model.guardrail.version: must be');
      expect(wrong({ guardrail: { id: 'a1', version: '1' }, provider: undefined })).toThrow(
        'agent a: model.guardrail: only a provider of the kind "bedrock" has guardrails: use "guards" of the agent',
      );
    });
  });

  test('what the model thought stands before the call that it led to (R131)', async () => {
    const clock = { id: 'c1', name: 'current_time', input: {} };
    const { toolCalls } = await reply({ blocks: [{ thought: 'Hm.', signature: 's' }, { redacted: 'x' }, clock] });
    const opaque = JSON.parse(JSON.stringify(toolCalls[0]!.opaque));
    const call: Item = { kind: 'call', id: 'c1', tool: 'current_time', arguments: '{}', opaque };
    await reply({ blocks: [{ text: 'Noon.' }] }, [hi, call, { kind: 'result', callId: 'c1', text: '' }]);
    const [, said, answer] = server.requests[0]!.body.messages;
    expect(said.content.map((block: object) => Object.keys(block)[0])).toEqual([
      'reasoningContent',
      'reasoningContent',
      'toolUse',
    ]);
    expect(answer.content).toMatchObject([{ toolResult: { content: [{ text: '(nothing)' }] } }]);
  });
});
