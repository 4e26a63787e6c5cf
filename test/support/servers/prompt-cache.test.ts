import { PromptCache } from './prompt-cache';

const block = (letter: string, point?: '5m' | '1h') => ({ text: letter.repeat(8_000), ...(point && { point }) });
const rules = { least: 1_024, finds: 'points' } as const;

describe('the scripted cache keeps the rules of providers (R200)', () => {
  let time = 0;
  const later = (minutes: number) => {
    time += minutes * 60_000;
  };

  test('a prefix is written at a mark, read at the next one, and kept for five minutes after its last use', () => {
    const cache = new PromptCache(() => time);
    expect(cache.use([block('a', '5m'), block('b')], rules)).toEqual({
      total: 4_000,
      read: 0,
      written: 2_000,
      writtenForHour: 0,
    });
    later(4);
    expect(cache.use([block('a', '5m'), block('c', '5m')], rules)).toMatchObject({ read: 2_000, written: 2_000 });
    later(4);
    expect(cache.use([block('a', '5m'), block('c', '5m')], rules)).toMatchObject({ read: 4_000, written: 0 });
    later(6);
    expect(cache.use([block('a'), block('c', '5m')], rules)).toMatchObject({ read: 0, written: 4_000 });
  });

  test('an hour is kept for an hour; another beginning is not found; a short prefix is not kept', () => {
    const cache = new PromptCache(() => time);
    expect(cache.use([block('a', '1h')], rules)).toMatchObject({ written: 2_000, writtenForHour: 2_000 });
    later(59);
    expect(cache.use([block('a'), block('b', '1h')], rules)).toMatchObject({ read: 2_000, writtenForHour: 2_000 });
    expect(cache.use([block('x'), block('b', '5m')], rules)).toMatchObject({ read: 0 });
    expect(cache.use([{ text: 'short', point: '5m' }], rules)).toMatchObject({ read: 0, written: 0 });
  });

  test('an earlier mark is found twenty blocks back, and no further', () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `${index}` }));
    for (const [between, read] of [
      [18, 2_000],
      [19, 0],
    ] as const) {
      const cache = new PromptCache(() => time);
      cache.use([block('a', '5m')], rules);
      expect(cache.use([block('a'), ...many(between), block('b', '5m')], rules).read).toBe(read);
    }
  });

  test('where only marks are found, an earlier end needs one, and the same key', () => {
    const cache = new PromptCache(() => time);
    const marks = { least: 1_024, finds: 'marks' } as const;
    cache.use([block('a', '5m')], marks, 'one');
    expect(cache.use([block('a'), block('c', '5m')], marks, 'one').read).toBe(0);
    expect(cache.use([block('a', '5m'), block('b', '5m')], marks, 'one').read).toBe(2_000);
    expect(cache.use([block('a', '5m'), block('b', '5m')], marks, 'two').read).toBe(0);
  });

  test('where it finds what is common, that is free to write, in steps of 128 tokens', () => {
    const cache = new PromptCache(() => time);
    const common = { least: 1_024, finds: 'common' } as const;
    expect(cache.use([block('a'), block('b')], common)).toMatchObject({ read: 0, written: 0 });
    expect(cache.use([block('a'), block('c')], common)).toMatchObject({ read: 1_920, written: 0 });
  });
});
