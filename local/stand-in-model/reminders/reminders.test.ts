import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { answer } from '../answer';
import { readTurn } from '../turn';
import { periodIn } from './periods';
import { isoSeconds } from './times';
import { readWishes } from './wishes';

const now = new Date('2026-03-10T10:30:00Z');

describe('recurrence rules are read from a message', () => {
  test.each([
    ['Remind me every day at 8 to water the plants', 'Time to water the plants.', '0 8 * * *', 'every day at 08:00'],
    [
      'every Monday at 9:00 remind me to write the report',
      'Time to write the report.',
      '0 9 * * 1',
      'every Monday at 09:00',
    ],
    ['Remind me every 2 hours to drink', 'Time to drink.', 7_200, 'every 2 hours'],
    ['Every two hours, remind me to drink', 'Time to drink.', 7_200, 'every 2 hours'],
    ['remind me hourly to stretch', 'Time to stretch.', 3_600, 'every hour'],
    ['remind me every other day to call my mother', 'Time to call your mother.', 172_800, 'every 2 days'],
    ['Remind me daily at 17:30 to go home', 'Time to go home.', '30 17 * * *', 'every day at 17:30'],
    ['Remind me every morning to take my pills', 'Time to take your pills.', '0 9 * * *', 'every day at 09:00'],
    ['remind me every evening at 7 to read', 'Time to read.', '0 19 * * *', 'every day at 19:00'],
    ['remind me on weekdays at 7:15 to get up', 'Time to get up.', '15 7 * * 1-5', 'every weekday at 07:15'],
    [
      'remind me every Tuesday and Thursday at 6pm to train',
      'Time to train.',
      '0 18 * * 2,4',
      'every Tuesday and Thursday at 18:00',
    ],
    ['remind me on Fridays to pay the rent', 'Time to pay the rent.', '0 9 * * 5', 'every Friday at 09:00'],
    ['remind me every month on the 15th to pay', 'Time to pay.', '0 9 15 * *', 'on day 15 of every month at 09:00'],
    ['remind me weekly to clean', 'Time to clean.', '0 9 * * 2', 'every Tuesday at 09:00'],
  ])('%s', (said, task, rule, words) => {
    const cron = typeof rule === 'string' ? rule : null;
    const everySeconds = typeof rule === 'number' ? rule : null;
    expect(readWishes(said, now)).toMatchObject([{ message: task, rule: { cron, everySeconds, words } }]);
  });

  test('several in one message, with one that does not recur', () => {
    const said =
      'Remind me every day at 8 to water the plants and every Monday at 9 to write. Remind me tomorrow at 7 to run';
    const wishes = readWishes(said, now);
    expect(wishes.map(({ message, rule, at }) => [message, rule?.cron ?? isoSeconds(at)])).toEqual([
      ['Time to water the plants.', '0 8 * * *'],
      ['Time to write.', '0 9 * * 1'],
      ['Time to run.', '2026-03-11T07:00:00Z'],
    ]);
  });

  test.each(['Remind me tomorrow at 8', 'remind me on Monday to call everybody', 'next month', 'everything is fine'])(
    'nothing recurs in: %s',
    (said) => expect(periodIn(said)).toBeUndefined(),
  );
});

const names = ['current_time', 'schedule', 'reminder', 'remind_later', 'repeat', 'list_timers', 'cancel_timer'];
const tools: ChatCompletionTool[] = names.map((name) => ({ type: 'function', function: { name } }));

/** A conversation that executes the tools. A wait is interrupted by `meanwhile`, or else ends. */
class Talk {
  messages: ChatCompletionMessageParam[] = [{ role: 'system', content: 'You remind people.' }];
  log: string[] = [];
  timers: { id: string; text: string; rule: string; nextAt: string; timeZone?: string }[] = [];
  local?: string;
  now = now;
  /** What a tool answers instead. */
  failing: Record<string, string> = {};
  nextAt = '2026-03-11T08:00:00.000Z';
  meanwhile: string[] = [];

  hear(text: string): string[] {
    this.messages.push({ role: 'user', content: text });
    this.log = [];
    for (let step = 0; step < 50; step++) if (this.step()) return this.log;
    throw new Error(`no end: ${this.log.join(' | ')}`);
  }
  due = (text: string) => this.hear(note(text));

  private step(): boolean {
    const { text, calls = [] } = answer(readTurn({ model: 'm', messages: this.messages, tools }));
    if (text) this.log.push(text);
    const tool_calls = calls.map(({ name, arguments: args }, index) => ({
      id: `c${this.messages.length}-${index}`,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(args) },
    }));
    this.messages.push({ role: 'assistant', content: text ?? null, ...(calls.length > 0 && { tool_calls }) });
    const [interruption] = calls.some(({ name }) => name === 'schedule') ? this.meanwhile.splice(0, 1) : [];
    for (const { id, function: called } of tool_calls) {
      this.log.push(`${called.name} ${called.arguments}`);
      const content = this.run(called.name, JSON.parse(called.arguments), interruption !== undefined);
      this.messages.push({ role: 'tool', tool_call_id: id, content });
    }
    if (interruption) this.messages.push({ role: 'user', content: interruption });
    return calls.length === 0;
  }

  private run(name: string, args: Record<string, string>, interrupted: boolean): string {
    const { nextAt } = this;
    if (this.failing[name]) return this.failing[name];
    if (name === 'current_time') return JSON.stringify({ now: this.now.toISOString(), local: this.local });
    if (name === 'list_timers') return JSON.stringify({ timers: this.timers });
    if (name === 'reminder') return JSON.stringify({ delivered: true });
    if (name === 'schedule') {
      if (interrupted) return `Interrupted: the time ${args.at} has not come.`;
      this.now = new Date(args.at!);
      return `The time has come: it was set for ${args.at}.`;
    }
    if (name === 'remind_later') return JSON.stringify({ delivered: true });
    if (name === 'cancel_timer') {
      this.timers = this.timers.filter(({ id }) => id !== args.timer_id);
      return JSON.stringify({ cancelled: args.timer_id });
    }
    const id = `t${this.timers.length + 1}`;
    this.timers.push({ id, text: args.task!, rule: args.cron ?? `every ${args.every_seconds} seconds`, nextAt });
    return JSON.stringify({ scheduled: args.task, rule: args.cron, next: nextAt, timer_id: id });
  }
}

const note = (text: string) => `[A note from the system, not from the user] ${text}`;
const plants = '🔁 Due at 2026-03-11T08:00:00.000Z (0 8 * * *): Time to water the plants.';

describe('the stand-in model plays recurring reminders', () => {
  test('says the times of the timer’s zone, and what the clock of the user says (R153)', () => {
    const talk = new Talk();
    talk.local = '2026-03-10T06:30:00-04:00[America/New_York]';
    talk.nextAt = '2026-03-11T09:00:00-04:00[America/New_York]';
    expect(talk.hear('Remind me every weekday at 9 to stretch')).toEqual([
      'current_time {}',
      'I will remind you every weekday at 09:00: Time to stretch.',
      'repeat {"task":"Time to stretch.","cron":"0 9 * * 1-5","time_zone":null,"every_seconds":null}',
      'The next time is Wednesday 11 March 2026 at 09:00.',
    ]);
    talk.timers = [
      {
        id: 't1',
        text: 'Time to stretch.',
        rule: '0 9 * * 1-5',
        nextAt: '2026-03-11T13:00:00.000Z',
        timeZone: 'America/New_York',
      },
    ];
    expect(talk.hear('what reminders do I have?')[1]).toBe(
      '“Time to stretch.” comes next on Wednesday 11 March 2026 at 09:00 America/New_York (0 9 * * 1-5).',
    );
    expect(talk.hear('What time is it?')[1]).toBe('It is Tuesday 10 March 2026 at 06:30.');
  });

  test.each([
    ['', plants],
    [
      'that missed some of its times',
      `${plants} (4 more of its times have passed meanwhile; this one stands for all of them. It is 2026-03-15T09:00:00.000Z.)`,
    ],
    ['that comes late', `${plants} (This comes late: it is 2026-03-11T09:00:00.000Z.)`],
    [
      'for once',
      '⏰ Due at 2026-03-11T08:00:00.000Z, as arranged at 2026-03-10T08:00:00.000Z: Time to water the plants.',
    ],
  ])('delivers one %s when it is due, again and again', (_, due) => {
    const talk = new Talk();
    talk.hear('Remind me every day at 8 to water the plants');
    for (let day = 0; day < 3; day++)
      expect(talk.due(due)).toEqual(['reminder {"message":"Time to water the plants."}', 'Done: I have reminded you.']);
  });

  test('lists them, and cancels the one that is named', () => {
    const talk = new Talk();
    expect(talk.hear('What reminders do I have?')).toEqual(['list_timers {}', 'You have no reminders.']);
    talk.hear('Remind me every day at 8 to water the plants');
    talk.hear('Remind me every Monday at 9:00 to write the report');
    expect(talk.hear('what reminders do I have?')[1]).toMatch(
      /^“Time to water the plants.” comes next on Wednesday .* \(0 8 \* \* \*\)\. “Time to write the report.”/,
    );
    expect(talk.hear('cancel the plants reminder')).toEqual([
      'list_timers {}',
      'cancel_timer {"timer_id":"t1"}',
      'Cancelled: Time to water the plants.',
    ]);
    expect(talk.hear('Cancel the dentist reminder')[1]).toMatch(/^I found no such reminder. “Time to write/);
    expect(talk.hear('stop reminding me')).toContain('cancel_timer {"timer_id":"t2"}');
    expect(talk.timers).toEqual([]);
  });

  test('cancels all', () => {
    const talk = new Talk();
    talk.hear('Remind me every day at 8 to water the plants and every Monday at 9 to write');
    talk.hear('Cancel all my reminders');
    expect(talk.timers).toEqual([]);
  });

  test('continues to sleep for one that does not recur, however often it is woken', () => {
    const talk = new Talk();
    const sleep = 'schedule {"at":"2026-03-20T09:00:00Z"}';
    talk.meanwhile = [...Array(5).fill(note(plants)), 'what reminders do I have?', 'cancel the plants reminder'];
    talk.timers = [{ id: 't1', text: 'Time to water the plants.', rule: '0 8 * * *', nextAt: '2026-03-12T08:00:00Z' }];
    const log = talk.hear('Remind me on the 20th to buy gifts');
    const told = ['reminder {"message":"Time to water the plants."}', sleep];
    expect(log).toEqual([
      'current_time {}',
      'I will remind you on Friday 20 March 2026 at 09:00 UTC: Time to buy gifts.',
      sleep,
      ...Array(5).fill(told).flat(),
      'list_timers {}',
      expect.stringMatching(/^“Time to water the plants.” comes next .* I will remind you on Friday 20 March/),
      sleep,
      'list_timers {}',
      'cancel_timer {"timer_id":"t1"}',
      expect.stringMatching(/^Cancelled: Time to water the plants. I will remind you on Friday/),
      sleep,
      'reminder {"message":"Time to buy gifts."}',
      expect.stringMatching(/^Done/),
    ]);
  });

  test('cancels the one that it sleeps for by its name, and keeps recurring ones', () => {
    const talk = new Talk();
    talk.timers = [{ id: 't1', text: 'Time to water the plants.', rule: '0 8 * * *', nextAt: '2026-03-12T08:00:00Z' }];
    talk.meanwhile = ['cancel the gifts reminder'];
    expect(talk.hear('Remind me on the 20th to buy gifts').at(-1)).toBe('All right, I will not remind you of that.');
    expect(talk.timers).toHaveLength(1);
  });
});

describe('the stand-in model plays the reminder agent', () => {
  test('a reminder that is asked for in the last second of a minute is found again', () => {
    const talk = new Talk();
    talk.now = new Date('2026-03-10T10:30:59.600Z');
    expect(talk.hear('Remind me in 3 weeks to smile').slice(1)).toEqual([
      'I will remind you on Tuesday 31 March 2026 at 10:31 UTC: Time to smile.',
      'schedule {"at":"2026-03-31T10:31:00Z"}',
      'reminder {"message":"Time to smile."}',
      'Done: I have reminded you.',
    ]);
  });

  test('several reminders in one message become timers, confirmed in one reply', () => {
    const log = new Talk().hear('Remind me on Friday to pay the rent and tomorrow at noon to call Ann');
    expect(log).toEqual([
      'current_time {}',
      'I will remind you on Friday 13 March 2026 at 09:00 UTC: Time to pay the rent. I will remind you on Wednesday 11 March 2026 at 12:00 UTC: Time to call Ann.',
      'remind_later {"message":"Time to pay the rent.","delay_seconds":253800,"at":null}',
      'remind_later {"message":"Time to call Ann.","delay_seconds":91800,"at":null}',
      'It is arranged.',
    ]);
  });

  test.each([
    ['Actually, make it 9am', ['current_time {}', /11 March 2026 at 09:00/, 'schedule {"at":"2026-03-11T09:00:00Z"}']],
    [
      'Also remind me tonight to sleep',
      [
        'current_time {}',
        /10 March 2026 at 20:00 UTC: Time to sleep\.$/,
        'remind_later {"message":"Time to sleep.","delay_seconds":34200,"at":null}',
        /^It is arranged\. I will remind you on Wednesday 11 March 2026 at 08:00 UTC: Time to stretch\.$/,
        'schedule {"at":"2026-03-11T08:00:00Z"}',
      ],
    ],
    ['thanks!', [/^You're welcome. I will remind you on Wednesday/, 'schedule {"at":"2026-03-11T08:00:00Z"}']],
    ['never mind', ['All right, I will not remind you of that.']],
  ])('while it sleeps somebody says: %s', (interruption, expected) => {
    const talk = new Talk();
    talk.meanwhile = [interruption];
    const log = talk.hear('Remind me tomorrow at 8am to stretch');
    const woken = log.slice(3, 3 + expected.length);
    expect(woken).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
  });

  test('a request without a time, one in the past, one that recurs: it says what it assumes', () => {
    expect(new Talk().hear('Remind me to water the plants')[1]).toMatch(
      /^You named no time, so I take an hour from now. I will.* 11:30/,
    );
    expect(new Talk().hear('Remind me today at 8am to run').slice(1, 3)).toEqual([
      'That time has passed, so I remind you now.',
      'reminder {"message":"Time to run."}',
    ]);
    expect(new Talk().hear('Remind me every day at 9am to stretch').slice(1, 3)).toEqual([
      'I will remind you every day at 09:00 UTC: Time to stretch.',
      'repeat {"task":"Time to stretch.","cron":"0 9 * * *","time_zone":null,"every_seconds":null}',
    ]);
  });

  test('a very long message does not block it', () => {
    const log = new Talk().hear(`Remind me tomorrow at 9 to read: ${'9 on Monday and tomorrow, '.repeat(4_000)}`);
    expect(log.at(-1)).toBe('It is arranged.');
  });

  test('a later message starts over, and "again" refers to the last reminder', () => {
    const talk = new Talk();
    talk.hear('Remind me in ten minutes to stretch');
    expect(talk.hear('again in 5 minutes please')).toEqual([
      'current_time {}',
      'I will remind you on Tuesday 10 March 2026 at 10:45 UTC: Time to stretch.',
      'schedule {"at":"2026-03-10T10:45:00Z"}',
      'reminder {"message":"Time to stretch."}',
      'Done: I have reminded you.',
    ]);
    expect(talk.hear('Thank you')).toEqual(["You're welcome."]);
  });

  test.each([
    [{ current_time: 'Error: the clock stands still.' }, 'current_time failed: the clock stands still.'],
    [{ schedule: 'Error: too far away.' }, 'schedule failed: too far away.'],
    [{ reminder: 'Error: no channel.' }, 'reminder failed: no channel.'],
    [{ reminder: 'Outcome unknown: it broke off.' }, 'reminder: Outcome unknown: it broke off.'],
  ])('says in words what a tool could not do: %j', (failing, words) => {
    const talk = new Talk();
    talk.failing = { ...failing };
    expect(talk.hear('Remind me tomorrow to stretch').at(-1)).toBe(words);
  });
});
