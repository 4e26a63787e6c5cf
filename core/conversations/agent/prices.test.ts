import { readFileSync } from 'node:fs';
import { drawn, file } from '../../../test/support/draw-models';
import { factsOf, listPrices, models } from '../../base/models/models';
import { addUsage, noUsage } from '../../base/state/schemas';
import { defineAgent } from './agent';
import { estimatedUsage, priced } from './prices';

const million = 1_000_000;
const usage = (more: object) => ({ ...noUsage, ...more });

describe('what a model call costs (R137)', () => {
  test('cached input is cheaper, what is kept for the next call dearer', () => {
    const price = { input: 1, cached: 0.05, written: 1.25, output: 5 };
    const { costMicrodollars } = priced(
      usage({ inputTokens: 1_000, cachedInputTokens: 600, cacheWriteTokens: 200, outputTokens: 100 }),
      price,
    );
    expect(costMicrodollars).toBe(200 * 1 + 600 * 0.05 + 200 * 1.25 + 100 * 5);
  });

  test('what the cache saves is what the same input would cost without it; a first write costs more (R200)', () => {
    const price = { input: 1, cached: 0.1, written: 1.25, writtenForHour: 2, output: 5 };
    const saved = (more: object, forHour?: number) =>
      priced(usage({ inputTokens: 1_000, outputTokens: 9, ...more }), price, forHour).savedMicrodollars;
    expect(saved({ cachedInputTokens: 600, cacheWriteTokens: 200 })).toBe(600 * 0.9 - 200 * 0.25);
    expect(saved({ cacheWriteTokens: 1_000 })).toBe(-250);
    expect(saved({ cacheWriteTokens: 1_000 }, 400)).toBe(-0.25 * 600 - 400);
    expect(saved({ cachedInputTokens: 0 })).toBeUndefined();
    const two = [-250, 490].map((savedMicrodollars) => usage({ savedMicrodollars }));
    expect(addUsage(two[0]!, two[1]!).savedMicrodollars).toBe(240);
    expect(addUsage(usage({}), usage({}))).not.toHaveProperty('savedMicrodollars');
  });

  test('a long request costs more, all of it', () => {
    const price = listPrices['gpt-6.1-terra']!;
    const cost = (inputTokens: number) =>
      priced(usage({ inputTokens, outputTokens: million }), price).costMicrodollars / million;
    expect(cost(272_000)).toBeCloseTo(0.272 + 5);
    expect(cost(272_001)).toBeCloseTo(0.544 + 7.5);
  });

  test('by a guess it is counted as one, and without a cached one as other input', () => {
    const some = usage({ inputTokens: 10, cachedInputTokens: 10, outputTokens: 1 });
    const guess = priced(some, { input: 2, output: 3, isGuess: true });
    expect(guess).toMatchObject({ costMicrodollars: 23, unpricedCalls: 1 });
    expect(guess).not.toHaveProperty('savedMicrodollars');
    expect(addUsage(guess, guess).unpricedCalls).toBe(2);
    expect(priced(some, { input: 2, output: 3 }).costMicrodollars).toBe(23);
  });

  test('the docs list every model, with where and when its price was read (R275)', () => {
    const page = readFileSync(file, 'utf8');
    expect(drawn(page)).toBe(page);
    for (const [name, { price, published }] of Object.entries(models)) {
      expect([name, price !== undefined, published !== undefined]).toEqual([name, true, true]);
      expect(page).toContain(`| \`${name}\` |`);
    }
  });

  test('of a model that is not in the table only its name tells whether it reasons', () => {
    expect(['gpt-7-nova', 'o5', 'gpt-4.1-x', 'qwen3'].map((name) => factsOf(name).reasons)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    for (const { ends } of Object.values(models)) if (ends) expect(ends.on).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  test('an estimate counts the files of a request, and not the words about them twice (R212)', () => {
    const agent = defineAgent({ name: 'a', purpose: 'p', instructions: 'Be good.', model: 'gpt-6.1-sol', tools: [] });
    const part = { type: 'file' as const, id: `f_${'a'.repeat(43)}`, mediaType: 'image/png', size: 900_000 };
    const said = { kind: 'message' as const, by: 'user' as const, text: 'Look' };
    const tokens = (model: string, files?: (typeof part)[]) =>
      estimatedUsage({ agent: { ...agent, model: { name: model } }, items: [{ ...said, ...(files && { files }) }] }, '')
        .inputTokens;
    expect(tokens('gpt-6.1-sol', [part, part]) - tokens('gpt-6.1-sol')).toBe(3_200);
    expect(tokens('qwen3', [part]) - tokens('qwen3')).toBe(40);
  });
});
