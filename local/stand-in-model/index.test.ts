import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { type StandInModel, startStandInModel } from './index';

let model: StandInModel;
let client: OpenAI;
beforeAll(async () => {
  model = await startStandInModel({ pauseMs: 0 });
  client = new OpenAI({ baseURL: model.url, apiKey: 'none', maxRetries: 0, logLevel: 'off' });
});
afterAll(() => model.stop());

describe('the stand-in model as a server', () => {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];

  test('is labelled wherever the protocol allows it', async () => {
    const { model: name, system_fingerprint } = await client.chat.completions.create({ model: 'gpt-6-luna', messages });
    expect([name, system_fingerprint]).toEqual(['stand-in', 'stand-in']);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['stand-in']);
  });

  test('rejects what OpenAI rejects', async () => {
    const result: ChatCompletionMessageParam = { role: 'tool', tool_call_id: 'a', content: '1' };
    await expect(client.chat.completions.create({ model: 'any', messages: [...messages, result] })).rejects.toThrow(
      /^400 /,
    );
    await expect(client.get('/nowhere')).rejects.toMatchObject({ status: 404 });
    const broken = await fetch(`${model.url}/chat/completions`, { method: 'POST', body: '{' });
    expect(broken.status).toBe(400);
  });
});

test('draws a square, in a stream and at once, as a picture of the reply (R210)', async () => {
  const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Draw me a red square, please.' }] };
  const whole = await client.chat.completions.create(asked);
  const { content, images } = whole.choices[0]!.message as unknown as { content: string; images: object[] };
  expect([content, images]).toEqual([
    'Here is a red square.',
    [{ type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/) } }],
  ]);
  const told: object[] = [];
  for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true }))
    told.push(...((choices[0]?.delta as { images?: object[] } | undefined)?.images ?? []));
  expect(told).toEqual(images);
});
