import { cacheFactsOf, withCachePrices } from './cache-facts';

test.each([
  ['anthropic.claude-sonnet-5', 1_024, true],
  ['eu.anthropic.claude-sonnet-5', 1_024, true],
  ['global.anthropic.claude-opus-5-20260801-v1:0', 512, true],
  ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 4_096, true],
  ['global.anthropic.claude-opus-4-7', 4_096, true],
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 1_024, true],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 1_024, undefined],
  ['us.anthropic.claude-opus-4-1-20250805-v1:0', 1_024, undefined],
  ['us.anthropic.claude-3-7-sonnet-20250219-v1:0', 1_024, undefined],
  ['arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-5-haiku-20241022-v1:0', 2_048, undefined],
  ['arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-5', 1_024, true],
  ['claude-sonnet-5', 1_024, true],
])('%s caches prefixes of %i tokens, at three places (R200)', (model, least, hour) => {
  expect(cacheFactsOf(model)).toMatchObject({ least, points: ['tools', 'system', 'messages'] });
  expect(cacheFactsOf(model)!.hour).toBe(hour);
});

test('Nova takes cache points after the system text only, and none for an hour (R200)', () => {
  for (const model of ['amazon.nova-pro-v1:0', 'us.amazon.nova-2-lite-v1:0'])
    expect(cacheFactsOf(model)).toEqual({ least: 1_536, points: ['system'], factors: expect.anything() });
});

test.each([
  'meta.llama4-maverick-17b-instruct-v1:0',
  'anthropic.claude-3-haiku-20240307-v1:0',
  'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6',
  'deepseek-chat',
])('of %s nothing is known that it takes (R200)', (model) => {
  expect(cacheFactsOf(model)).toBeUndefined();
});

test('OpenAI’s models find prefixes by themselves; from GPT-5.6 on they need marks, and a request can forbid the write (R200)', () => {
  const optional = (model: string) => cacheFactsOf(model)?.optional ?? false;
  expect(['gpt-6.1-terra', 'gpt-6-luna', 'gpt-5.6', 'gpt-5.12-mini'].map(optional)).toEqual([true, true, true, true]);
  expect(['gpt-5', 'gpt-5.4-mini', 'gpt-4.1', 'o4-mini'].map(optional)).toEqual([false, false, false, false]);
  expect(cacheFactsOf('gpt-6-luna')).toMatchObject({ points: ['system', 'messages'], least: 1_024 });
  expect(cacheFactsOf('gpt-4.1')).toEqual({ points: [], least: 1_024 });
});

test('a price without those of the cache gets them by the factors of its provider (R200)', () => {
  const price = { input: 3, output: 15 };
  expect(withCachePrices(price, 'eu.anthropic.claude-sonnet-5')).toEqual({
    ...price,
    cached: expect.closeTo(0.3),
    written: 3.75,
    writtenForHour: 6,
  });
  expect(withCachePrices({ ...price, cached: 0.2 }, 'claude-sonnet-5')?.cached).toBe(0.2);
  expect(withCachePrices(price, 'gpt-5')).toBe(price);
});
