import OpenAI from 'openai';
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions';
import { type StandInModel, startStandInModel } from './index';

let model: StandInModel;
let client: OpenAI;
beforeAll(async () => {
  model = await startStandInModel({ pauseMs: 0 });
  client = new OpenAI({ baseURL: model.url, apiKey: 'none', maxRetries: 0, logLevel: 'off' });
});
afterAll(() => model.stop());

const tool = (name: string, field?: string): ChatCompletionTool => ({
  type: 'function',
  function: {
    name,
    strict: true,
    parameters: {
      type: 'object',
      properties: field ? { [field]: { type: 'string' } } : {},
      required: field ? [field] : [],
      additionalProperties: false,
    },
  },
});
const reminderTools = [
  ...[tool('current_time'), tool('schedule', 'at'), tool('reminder', 'message'), tool('list_timers')],
  ...[tool('remind_later', 'message'), tool('repeat', 'task'), tool('cancel_timer', 'timer_id')],
];

/**
 * A conversation that executes the tools: the clock stands at the last wake-up, and waits end at once or are
 * interrupted.
 */
class Talk {
  readonly messages: ChatCompletionMessageParam[] = [{ role: 'system', content: 'You remind people of things.' }];
  readonly log: string[] = [];
  now = new Date('2026-03-10T10:30:00Z');
  /** A message during the next wait, which interrupts it. */
  interruption?: string;
  failing: Record<string, string> = {};

  constructor(private readonly tools = reminderTools) {}

  /**
   * @returns the log of what the model did until it finished.
   */
  async say(text: string): Promise<string[]> {
    this.messages.push({ role: 'user', content: text });
    this.log.length = 0;
    for (let step = 0; step < 400; step++) if (await this.step()) return this.log;
    throw new Error(`no end after 400 steps: ${this.log.join(' | ')}`);
  }

  private async step(): Promise<boolean> {
    const { messages, tools } = this;
    const stream = client.chat.completions.stream({
      model: 'any',
      messages,
      tools,
      stream_options: { include_usage: true },
    });
    const { choices, usage } = await stream.finalChatCompletion();
    expect(usage?.total_tokens).toBeGreaterThan(0);
    const { content, tool_calls = [] } = choices[0]!.message;
    this.messages.push({ role: 'assistant', content, ...(tool_calls.length > 0 && { tool_calls }) });
    if (content) this.log.push(content);
    for (const call of tool_calls) {
      if (call.type !== 'function') throw new Error(call.type);
      const { name, arguments: json } = call.function;
      this.log.push(`${name} ${json}`);
      this.messages.push({ role: 'tool', tool_call_id: call.id, content: this.run(name, JSON.parse(json)) });
    }
    if (this.interruption && tool_calls.some((call) => call.type === 'function' && call.function.name === 'schedule')) {
      this.messages.push({ role: 'user', content: this.interruption });
      this.interruption = undefined;
    }
    return tool_calls.length === 0;
  }

  private run(name: string, { at }: { at?: string }): string {
    if (this.failing[name]) return this.failing[name];
    if (name === 'current_time') return JSON.stringify({ now: this.now.toISOString() });
    if (!at) return JSON.stringify({ delivered: true });
    if (this.interruption) return `Interrupted: a new message came before ${at}. It is now ${this.now.toISOString()}.`;
    this.now = new Date(at);
    return `The time has come: it was set for ${at}, and it is now ${this.now.toISOString()}.`;
  }
}

describe('the stand-in model plays the reminder agent', () => {
  test('reads the clock, sleeps, reminds, and says that it is done', async () => {
    expect(
      await new Talk().say('Remind me tomorrow at 8am, bright and early, to check out https://example.org/news'),
    ).toEqual([
      'current_time {}',
      'I will remind you on Wednesday 11 March 2026 at 08:00 UTC: Time to check out https://example.org/news',
      'schedule {"at":"2026-03-11T08:00:00Z"}',
      'reminder {"message":"Time to check out https://example.org/news"}',
      'Done: I have reminded you.',
    ]);
  });

  test('a reminder that is asked for in the last second of a minute is found again', async () => {
    const talk = new Talk();
    talk.now = new Date('2026-03-10T10:30:59.600Z');
    expect((await talk.say('Remind me in 3 weeks to smile')).slice(1)).toEqual([
      'I will remind you on Tuesday 31 March 2026 at 10:31 UTC: Time to smile.',
      'schedule {"at":"2026-03-31T10:31:00Z"}',
      'reminder {"message":"Time to smile."}',
      'Done: I have reminded you.',
    ]);
  });

  test('several reminders in one message become timers, confirmed in one reply', async () => {
    const log = await new Talk().say('Remind me on Friday to pay the rent and tomorrow at noon to call Ann');
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
  ])('while it sleeps somebody says: %s', async (interruption, expected) => {
    const talk = new Talk();
    talk.interruption = interruption;
    const log = await talk.say('Remind me tomorrow at 8am to stretch');
    const woken = log.slice(3, 3 + expected.length);
    expect(woken).toEqual(expected.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line))));
  });

  test('a request without a time, one in the past, one that recurs: it says what it assumes', async () => {
    expect((await new Talk().say('Remind me to water the plants'))[1]).toMatch(
      /^You named no time, so I take an hour from now. I will.* 11:30/,
    );
    expect((await new Talk().say('Remind me today at 8am to run')).slice(1, 3)).toEqual([
      'That time has passed, so I remind you now.',
      'reminder {"message":"Time to run."}',
    ]);
    expect((await new Talk().say('Remind me every day at 9am to stretch')).slice(1, 3)).toEqual([
      'I will remind you every day at 09:00 UTC: Time to stretch.',
      'repeat {"task":"Time to stretch.","cron":"0 9 * * *","time_zone":null,"every_seconds":null}',
    ]);
  });

  test('a very long message does not block it', async () => {
    const log = await new Talk().say(`Remind me tomorrow at 9 to read: ${'9 on Monday and tomorrow, '.repeat(4_000)}`);
    expect(log.at(-1)).toBe('It is arranged.');
  });

  test('a later message starts over, and "again" refers to the last reminder', async () => {
    const talk = new Talk();
    await talk.say('Remind me in ten minutes to stretch');
    expect(await talk.say('again in 5 minutes please')).toEqual([
      'current_time {}',
      'I will remind you on Tuesday 10 March 2026 at 10:45 UTC: Time to stretch.',
      'schedule {"at":"2026-03-10T10:45:00Z"}',
      'reminder {"message":"Time to stretch."}',
      'Done: I have reminded you.',
    ]);
    expect(await talk.say('Thank you')).toEqual(["You're welcome."]);
  });

  test.each([
    [{ current_time: 'Error: the clock stands still.' }, 'current_time failed: the clock stands still.'],
    [{ schedule: 'Error: too far away.' }, 'schedule failed: too far away.'],
    [{ reminder: 'Error: no channel.' }, 'reminder failed: no channel.'],
    [{ reminder: 'Outcome unknown: it broke off.' }, 'reminder: Outcome unknown: it broke off.'],
  ])('says in words what a tool could not do: %j', async (failing, words) => {
    const talk = new Talk();
    talk.failing = { ...failing };
    expect((await talk.say('Remind me tomorrow to stretch')).at(-1)).toBe(words);
  });

  test('tells the time, and what it can do', async () => {
    expect(await new Talk().say('What time is it?')).toEqual([
      'current_time {}',
      'It is Tuesday 10 March 2026 at 10:30 UTC.',
    ]);
    expect((await new Talk().say('What can you do?'))[0]).toMatch(
      /I am the stand-in model: rules.*\/call reminder \{"message":"some message"\}\n.*\/say some text/s,
    );
    expect((await new Talk().say('Write a poem about rain'))[0]).toMatch(/^I have no answer to that\..*OPENAI_API_KEY/);
  });
});

describe('the stand-in model as a server', () => {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];

  test('is labelled wherever the protocol allows it', async () => {
    const { model: name, system_fingerprint } = await client.chat.completions.create({ model: 'gpt-6-luna', messages });
    expect([name, system_fingerprint]).toEqual(['stand-in', 'stand-in']);
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['stand-in']);
  });

  test("names another agent's tools, in the form in which it plays them", async () => {
    const talk = new Talk([tool('refund', 'order'), tool('close_account')]);
    expect((await talk.say('What is my balance?'))[0]).toMatch(
      /\n\/call refund \{"order":"some order"\}\n\/call close_account \{\}\n\/say some text\n/,
    );
    expect(await new Talk([]).say('hello')).toEqual(['Hello.']);
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
