import { PromptCache } from '../../../test/support/servers/prompt-cache';
import { look } from '../../../test/support/tables/steps';
import { noUsage } from '../../base/state/schemas';
import type { Tool } from '../agent/tool';
import type { StoredMessage } from '../rows/rows';
import { cacheLasts } from './caching';

const start = Date.parse('2026-03-01T08:00:00Z');
const minute = 60_000;
const agentWith = (tools: Tool[]) => ({ name: 'guide', tools });
const reply = (seq: number, at: number, more: Partial<StoredMessage> = {}): StoredMessage => ({
  seq,
  version: 1,
  role: 'assistant',
  author: 'guide',
  text: '',
  status: 'complete',
  createdAt: new Date(at).toISOString(),
  usage: { ...noUsage, modelCalls: 1 },
  ...more,
});
/** Asks after requests with these pauses between them, in minutes; the last one leads to the request itself. */
function lasts(pauses: number[], tools: Tool[] = [look], more: Partial<StoredMessage> = {}) {
  let at = start;
  const messages = pauses.map((pause, index) => {
    const message = reply(index + 1, at, more);
    at += pause * minute;
    return message;
  });
  return cacheLasts(agentWith(tools), messages, { before: 99, now: new Date(at) });
}

test.each<[string, number[], string]>([
  ['the first request', [], 'minutes'],
  ['a run at work', [0.2, 0.5, 3], 'minutes'],
  ['the first request after a night: its tools will follow', [0.2, 900], 'minutes'],
  ['one request at a time, hours apart', [900, 900], 'none'],
  ['several requests each morning', [0.2, 900, 0.2, 900], 'minutes'],
  ['a person who takes their time', [0.2, 20], 'hour'],
  ['the steps after their answer', [0.2, 20, 0.2], 'hour'],
  ['one who stayed away then', [20, 300, 0.2], 'minutes'],
])('%s (R200)', (_name, pauses, expected) => {
  expect(lasts(pauses)).toBe(expected);
});

test('a reply of an agent without tools is followed by a rest, so one night is enough (R200)', () => {
  expect(lasts([900], [])).toBe('none');
  expect(lasts([2], [])).toBe('minutes');
});

test('requests of another agent, of a summary, and steps without a request have other prefixes or none (R200)', () => {
  for (const more of [{ author: 'clerk' }, { covers: 3 }, { usage: noUsage }, { usage: undefined }])
    expect(lasts([20, 20], [look], more)).toBe('minutes');
  const later = [reply(1, start), reply(2, start + 20 * minute)];
  expect(cacheLasts(agentWith([look]), later, { before: 2, now: new Date(start + minute) })).toBe('minutes');
});

describe('what it saves, at Claude’s prices (R200)', () => {
  const rules = { least: 10, finds: 'points' } as const;
  const ttl = { minutes: '5m', hour: '1h' } as const;

  /** The price of the input, in tokens at full price, with a prefix of 80 and 15 more each request. */
  function price(
    pauses: number[],
    decide: (messages: StoredMessage[], now: Date) => 'none' | 'minutes' | 'hour',
  ): number {
    let time = start;
    const cache = new PromptCache(() => time);
    const messages: StoredMessage[] = [];
    const blocks = ['x'.repeat(320)];
    let sum = 0;
    for (const [index, pause] of [0, ...pauses].entries()) {
      time += pause * minute;
      const wish = decide(messages, new Date(time));
      const ends = [blocks.length - 2, blocks.length - 1];
      const sent = blocks.map((text, place) => ({
        text,
        ...(wish !== 'none' && ends.includes(place) && { point: ttl[wish] }),
      }));
      const { total, read, written, writtenForHour } = cache.use(sent, rules);
      sum += total - read - written + read * 0.1 + (written - writtenForHour) * 1.25 + writtenForHour * 2;
      messages.push(reply(index + 1, time));
      blocks.push(`${index} `.repeat(60).slice(0, 60));
    }
    return sum;
  }
  /** Compared with `minutes` for every request, which is what is known to those who know nothing. */
  function compared(pauses: number[], tools: Tool[] = [look]): number {
    const decided = price(pauses, (messages, now) => cacheLasts(agentWith(tools), messages, { before: 99_999, now }));
    return decided / price(pauses, () => 'minutes');
  }
  const times = (count: number, ...pauses: number[]) => Array.from({ length: count }, () => pauses).flat();

  test.each<[string, number[], Tool[], number]>([
    ['a run of 20 steps', times(19, 0.2), [look], 1],
    ['a long run behind one late answer', [0.2, 20, ...times(19, 0.2)], [look], 1.1],
    ['a person who answers after 20 minutes', times(10, 0.2, 20), [look], 0.5],
    ['a watch every half hour', times(20, 0.2, 0.2, 30), [look], 0.6],
    ['a report every morning, with tools', times(10, 0.2, 0.2, 1_440), [look], 1],
    ['a look every two hours that only sleeps again', times(20, 120), [look], 0.82],
    ['a greeting every morning, without tools', times(10, 1_440), [], 0.83],
  ])('%s', (_name, pauses, tools, most) => {
    expect(compared(pauses, tools)).toBeLessThanOrEqual(most);
  });

  test('without any pattern in the pauses, it saves on average, and costs at most a third more', () => {
    let state = 7;
    const random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return state / 2_147_483_648;
    };
    const some = [0.2, 0.2, 0.2, 3, 10, 30, 55, 90, 600];
    const all = Array.from({ length: 300 }, () =>
      compared(Array.from({ length: 20 }, () => some[Math.floor(random() * some.length)]!)),
    );
    expect(Math.max(...all)).toBeLessThan(1.3);
    expect(all.reduce((sum, one) => sum + one) / all.length).toBeLessThan(0.92);
  });
});
