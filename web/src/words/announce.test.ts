import { message } from '../../../test/support/page/rows';
import { announceable, newWords } from './announce';

test('a reply that grows by words is announced by sentences, each once, and its end when it is complete (R207)', () => {
  const text = 'It costs $3.50 today. "Why?" she asked.\n- one\n今日は晴れ。明日は雨。 And so on';
  let heard = 0;
  const said: string[] = [];
  const hear = (length: number, status: 'streaming' | 'complete') => {
    const grown = message(2, { role: 'assistant', author: 'guide', text: text.slice(0, length), status });
    const words = announceable(grown);
    if (words.length > heard) said.push(newWords({ ...grown, text: words }, { seq: 2, length: heard }));
    heard = words.length;
  };
  for (let length = 1; length <= text.length; length++) hear(length, 'streaming');
  hear(text.length, 'complete');
  expect(said.filter(Boolean)).toEqual([
    'guide: It costs $3.50 today.',
    '"Why?"',
    'she asked.',
    '- one',
    '今日は晴れ。',
    '明日は雨。',
    'And so on',
  ]);
});
