import * as z from 'zod';
import { segmentOf } from '../../../test/support/segment-of';
import { scriptedLoop } from '../../../test/support/stories/scripted-step';
import { testTool } from '../../../test/support/tables/steps';
import { tableOfTests } from '../../../test/support/tables/table';
import type { LoopInput, LoopOutput } from '../../base/state/loop-state';
import { type AgentSpec, defineAgent } from '../../conversations/agent/agent';
import type { ModelRequest, Reply } from '../../conversations/agent/model';
import { registry } from '../../conversations/agent/registry';
import { defineTool } from '../../conversations/agent/tool';
import { forkConversation } from '../../conversations/conversation/fork';
import { sendMessage } from '../../conversations/conversation/send-message';
import { defineGuard, type Guard } from '../../conversations/guards/guard';
import { key } from '../../conversations/rows/keys';
import { createConversation } from '../../conversations/runs/conversation';
import { readMeta, readRows, type Table, write } from '../../conversations/store/table';
import { generateTitle } from '../../people/finding/generate-title';
import { viewConversation } from '../../people/views/view';
import { advance, type Loop } from '../loop/advance';
import { runTool } from '../loop/run-tool';

const table = tableOfTests();
let time: Date;
let serial = 0;
/** The model's requests, and what guards were asked, in order. */
let asked: ModelRequest[];
let checks: string[];
/** The text that the model says while its reply is checked, as people see it. */
let shownMeanwhile: string | undefined;
/** What was sent to those who watch. */
let sent: string[];
/** How often it is looked at what people see, until they see something. */
let looks: number;
let replies: Reply[];
beforeEach(() => {
  time = new Date('2026-03-01T08:00:00Z');
  [asked, checks, replies, sent, shownMeanwhile, looks] = [[], [], [], [], undefined, 0];
});

const words = (text: string): Reply => ({ text, toolCalls: [] });
const call = (name: string, args: object, text = ''): Reply => ({
  text,
  toolCalls: [{ id: `${name}1`, name, arguments: JSON.stringify(args) }],
});
const look = testTool('look', {
  input: z.object({ at: z.string().describe('Where') }),
  execute: async ({ at }) => `SECRET of ${at}`,
});
const nap = defineTool({
  kind: 'wait',
  name: 'nap',
  description: 'Waits.',
  input: z.object({}),
  until: (_input, now) => new Date(now.getTime() + 1_000),
});

/** Replaces SECRET, refuses BAD, asks about HARM. */
const guard = (at: Guard['at'], name = 'tester', more: Partial<Guard> = {}) =>
  defineGuard({
    name,
    at: at as ['call'],
    check(said, { at: place }) {
      checks.push(`${place}: ${said}`);
      if (said.includes('BAD')) return { refuse: 'That may not be said.' };
      if (said.includes('HARM')) return { ask: 'It may harm.' };
      return said.includes('SECRET') ? { replace: said.replaceAll('SECRET', '[hidden]') } : 'pass';
    },
    ...(more as object),
  });

interface World {
  id: string;
  agents: ReturnType<typeof registry>;
}
async function started(text: string, guards: Guard[], more: Partial<AgentSpec> = {}): Promise<World> {
  const id = `g${++serial}`;
  const base = {
    name: 'tester',
    purpose: 'p',
    instructions: 'i',
    model: 'm',
    tools: [look, nap],
    limits: { steps: 9 },
  };
  const agents = registry([defineAgent({ ...base, ...more, guards })]);
  await createConversation(table, { id, user: 'ada', agent: 'tester', text }, time);
  return { id, agents };
}
const loopOf = ({ id, agents }: World, of: Table = table): Loop => {
  const deltas: Loop['deltas'] = () => ({ add: (piece) => sent.push(piece), close: () => undefined });
  return scriptedLoop({ table: of, registry: agents, now: () => time, deltas }, async (request) => {
    asked.push(request);
    const reply = replies.shift() ?? words('Hello.');
    request.onText(reply.text);
    // Until its pieces are written.
    for (let look = 0; look < looks && !shownMeanwhile; look++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      shownMeanwhile = (await viewConversation(table, id, 'ada')).messages.at(-1)!.text;
    }
    return reply;
  });
};
async function step(world: World, of?: Table): Promise<LoopOutput> {
  const { input } = segmentOf((await readMeta(table, world.id))!)! as { input: LoopInput };
  return advance(loopOf(world, of), input);
}
async function run(world: World): Promise<LoopOutput> {
  for (;;) {
    const output = await step(world);
    if (output.next.startsWith('tool:')) {
      const { calls } = await view(world);
      const { id: callId, runId } = calls.at(-1)!;
      await runTool({ table, now: () => time }, look as never, { conversationId: world.id, runId, callId });
    } else if (output.next !== 'again') return output;
  }
}
const view = async ({ id }: World) => await viewConversation(table, id, 'ada');
const say = async (world: World, text: string) =>
  sendMessage(table, world.agents.agents, world.id, { user: 'ada', text }, time);
const heardAt = (request = asked.length - 1) => asked[request]!.items.map((item) => ('text' in item ? item.text : ''));
/** All that is stored of a conversation. */
const stored = async ({ id }: World) => JSON.stringify(await readRows(table, id, '', '~'));

describe('guards of messages (R206)', () => {
  test('the model reads what replaces a message, in every request; its author reads their own words', async () => {
    const world = await started('My SECRET is here', [guard(['input'])]);
    await run(world);
    await say(world, 'And now?');
    await run(world);
    for (const request of [0, 1]) expect(heardAt(request)[0]).toBe('My [hidden] is here');
    const { messages } = await view(world);
    expect(messages[0]).toMatchObject({
      text: 'My SECRET is here',
      guards: [{ guard: 'tester', at: 'input', verdict: 'replaced' }],
    });
    expect(messages[2]!.guards).toEqual([{ guard: 'tester', at: 'input', verdict: 'passed' }]);
    // Once for each message.
    expect(checks).toEqual(['input: My SECRET is here', 'input: And now?']);
  });

  test('guards read what the ones before have left, and after a refusal none is asked', async () => {
    const world = await started('SECRET', [guard(['input'], 'first'), guard(['input'], 'second')]);
    await run(world);
    expect(checks).toEqual(['input: SECRET', 'input: [hidden]']);
    const bad = await started('BAD', [guard(['input'], 'first'), guard(['input'], 'second')]);
    await run(bad);
    expect(checks).toHaveLength(3);
  });

  test('a run that begins with a refused message ends with the reason, and asks no model', async () => {
    const world = await started('BAD idea', [guard(['input'])]);
    expect((await run(world)).next).toBe('done');
    expect(asked).toHaveLength(0);
    const { messages, status, run: ended } = await view(world);
    expect(status).toBe('done');
    expect(ended!.usage.modelCalls).toBe(0);
    expect(messages.map(({ text, role }) => [role, text])).toEqual([
      ['user', 'BAD idea'],
      ['assistant', 'That may not be said.'],
    ]);
    expect(messages[1]!.guards).toEqual([
      { guard: 'tester', at: 'input', verdict: 'refused', reason: 'That may not be said.' },
    ]);
    await say(world, 'Another one');
    await run(world);
    expect(heardAt().join('\n')).not.toContain('BAD');
    expect(heardAt()[0]).toMatch(/^\[A note from the system, not from the user\] A message is withheld from you/);
  });

  test('a message that is refused during a run does not end it', async () => {
    const world = await started('Look', [guard(['input'])]);
    replies = [call('look', { at: 'home' })];
    await step(world);
    await say(world, 'BAD');
    const { calls } = await view(world);
    const at = { conversationId: world.id, runId: calls[0]!.runId, callId: calls[0]!.id };
    await runTool({ table, now: () => time }, look as never, at);
    expect((await run(world)).next).toBe('done');
    expect(heardAt().at(-1)).toContain('A message is withheld from you, because the guard "tester" has refused it');
  });

  test('a step that dies after its verdicts asks no guard again; one that is replaced stores none', async () => {
    const world = await started('A SECRET', [guard(['input'])]);
    replies = [words('Lost.')];
    const loop = loopOf(world);
    const failing = { ...loop, model: { ...loop.model, reply: () => Promise.reject(new Error('x')) } };
    const { input } = segmentOf((await readMeta(table, world.id))!)! as { input: LoopInput };
    await expect(advance(failing, input)).rejects.toThrow('x');
    await run(world);
    expect(checks).toEqual(['input: A SECRET']);
    expect(heardAt()[0]).toBe('A [hidden]');
  });

  test('an attempt that has been replaced while its guards were asked stores nothing, and asks no model', async () => {
    let isFirst = true;
    const world: World = await started('A SECRET', [
      guard(['input'], 'slow', {
        async check() {
          if (!isFirst) return { replace: 'of the second attempt' };
          isFirst = false;
          await run(world);
          return { replace: 'of the first attempt' };
        },
      }),
    ]);
    await expect(step(world)).rejects.toMatchObject({ name: 'Superseded' });
    expect(asked).toHaveLength(1);
    expect(heardAt()).toEqual(['of the second attempt']);
    expect(await stored(world)).not.toContain('of the first');
  });

  test('a fork has the verdicts, and another agent’s guards are asked about what they have not seen', async () => {
    const world = await started('A SECRET', [guard(['input'])]);
    await run(world);
    await say(world, 'Next');
    await run(world);
    const fork = { ...world, id: `${world.id}f` };
    await forkConversation(table, { from: world.id, id: fork.id, user: 'ada', step: 1 }, time);
    checks = [];
    await run(fork);
    expect(heardAt()).toEqual(['A [hidden]', 'Hello.', 'Next']);
    expect(checks).toEqual([]);
    const other = defineAgent({ ...world.agents.agents.get('tester')!, guards: [guard(['input'], 'newcomer')] });
    await say(fork, 'Once more');
    await run({ ...fork, agents: registry([other]) });
    expect(checks).toEqual(['input: A [hidden]', 'input: Next', 'input: Once more']);
  });

  test('a long conversation is checked part by part, and what is stored is not checked again', async () => {
    const world = await started('Word 0', []);
    await run(world);
    for (let word = 1; word < 25; word++) {
      await say(world, `Word ${word}`);
      await run(world);
    }
    let failing = true;
    const late = guard(['input'], 'late', {
      check(said) {
        checks.push(said);
        if (said === 'Word 24' && failing) throw new Error('x');
        return 'pass';
      },
    });
    const guarded = {
      ...world,
      agents: registry([defineAgent({ ...world.agents.agents.get('tester')!, guards: [late] })]),
    };
    await say(guarded, 'Last');
    await expect(step(guarded)).rejects.toMatchObject({ name: 'GuardFailed' });
    [checks, failing] = [[], false];
    await run(guarded);
    expect(checks.sort()).toEqual(['Last', 'Word 20', 'Word 21', 'Word 22', 'Word 23', 'Word 24']);
  });

  test('a title is made of what the model has read, and of nothing that is withheld', async () => {
    const world = await started('A SECRET', [guard(['input', 'output'])]);
    await run(world);
    replies = [words('About BAD')];
    await generateTitle(loopOf(world), world.id);
    expect(heardAt().join()).toContain('A [hidden]');
    expect(await view(world)).toMatchObject({ title: 'A SECRET' });
    const refused = await started('BAD', [guard(['input'])]);
    await run(refused);
    const before = asked.length;
    await generateTitle(loopOf(refused), refused.id);
    expect(asked).toHaveLength(before);
  });

  test('a guard that fails or takes too long keeps the message from the model, and its failure is shown', async () => {
    const broken = guard(['input'], 'broken', {
      timeoutSeconds: 1,
      check: async (said) => {
        if (said === 'Slow') return new Promise(() => undefined);
        throw new Error(`I have read ${said}`);
      },
    });
    const world = await started('My words', [broken]);
    await expect(step(world)).rejects.toMatchObject({ name: 'GuardFailed', message: 'The guard "broken" failed.' });
    expect(asked).toHaveLength(0);
    expect((await view(world)).messages[1]!.failedAttempts).toMatchObject([{ error: 'The guard "broken" failed.' }]);
    const slow = await started('Slow', [broken]);
    await expect(step(slow)).rejects.toThrow('The guard "broken" did not answer within 1 s.');
  });

  test.each<[unknown, string]>([
    [undefined, "guard odd: check: the function must return 'pass', { replace: text }, { refuse: reason }."],
    [true, "guard odd: check: the function must return 'pass'"],
    [{ refuse: '' }, "guard odd: check: the function must return 'pass'"],
    [{ replace: 'x', refuse: 'y' }, "guard odd: check: the function must return 'pass'"],
    [{ ask: 'Really?' }, 'guard odd: check: only a guard of calls can ask a person, and this was input.'],
  ])('the verdict %j ends the run', async (verdict, message) => {
    const world = await started('Hi', [guard(['input'], 'odd', { check: () => verdict as never })]);
    await expect(step(world)).rejects.toThrow(message);
    expect(asked).toHaveLength(0);
  });
});

describe('guards of replies (R206)', () => {
  test('a reply is shown when it has passed, with what replaces its words; the model reads the same', async () => {
    const world = await started('Hi', [guard(['output'])]);
    looks = 1;
    replies = [{ ...words('The SECRET is 5. Bye.'), opaque: { thought: 'SECRET' } }];
    await run(world);
    expect([shownMeanwhile, sent]).toEqual(['', []]);
    expect((await view(world)).messages[1]).toMatchObject({
      text: 'The [hidden] is 5. Bye.',
      guards: [{ guard: 'tester', at: 'output', verdict: 'replaced' }],
    });
    await say(world, 'Go on');
    await run(world);
    expect(heardAt()[1]).toBe('The [hidden] is 5. Bye.');
    expect(await stored(world)).not.toContain('SECRET');
  });

  test('without such a guard, the text is shown while it comes', async () => {
    const world = await started('Hi', [guard(['input'])]);
    looks = 100;
    replies = [words('One sentence. Another one.')];
    await run(world);
    expect(shownMeanwhile).toContain('One sentence.');
    expect(sent).toEqual(['One sentence. Another one.']);
  });

  test('a refused reply leaves its reason, and nothing else: no words, no calls, no thoughts', async () => {
    const world = await started('Hi', [guard(['output'])]);
    replies = [{ ...call('look', { at: 'BAD place' }, 'A BAD reply'), opaque: { thought: 'BAD' } }];
    expect((await run(world)).next).toBe('done');
    const { messages, calls } = await view(world);
    expect(calls).toEqual([]);
    expect(messages[1]).toMatchObject({ role: 'assistant', text: 'That may not be said.', usage: { modelCalls: 1 } });
    expect(await stored(world)).not.toContain('BAD');
    await say(world, 'Why?');
    await run(world);
    expect(heardAt()).toEqual(['Hi', 'That may not be said.', 'Why?']);
  });

  test('a summary is checked like a reply', async () => {
    const world = await started(`Long ${'x'.repeat(4_000)}`, [guard(['output'])], { contextTokens: 1_000 });
    await run(world);
    await say(world, 'More');
    await run(world);
    await say(world, `And ${'y'.repeat(2_000)}`);
    replies = [words('Summary with a SECRET'), words('Done.')];
    await run(world);
    const summary = (await view(world)).messages.findLast(({ covers }) => covers !== undefined);
    expect(summary).toMatchObject({ text: 'Summary with a [hidden]' });
    // A guard of messages reads it, too: what it covers may be older than the guard.
    const agents = registry([defineAgent({ ...world.agents.agents.get('tester')!, guards: [guard(['input'])] })]);
    checks = [];
    await say(world, 'Bye');
    await run({ ...world, agents });
    expect(checks.some((said) => said.includes('Summary with a [hidden]'))).toBe(true);
  });

  test.each([
    ['refused', 'BAD summary'],
    ['empty', ' '],
  ])('a summary that is %s is billed, and counted (R149)', async (_how, text) => {
    const world = await started(`Long ${'x'.repeat(4_000)}`, [guard(['output'])], { contextTokens: 1_000 });
    await run(world);
    await say(world, 'More');
    await run(world);
    await say(world, `And ${'y'.repeat(2_000)}`);
    replies = [words(text)];
    await step(world).catch(() => undefined);
    expect((await readMeta(table, world.id))!.run!.usage.modelCalls).toBe(1);
  });

  test('a reply whose review fails is counted (R149)', async () => {
    const review = () => {
      throw new Error('down');
    };
    const world = await started('Hi', [], { review });
    await expect(step(world)).rejects.toThrow('down');
    expect((await readMeta(table, world.id))!.run!.usage.modelCalls).toBe(1);
  });

  test('a reply that cannot be checked is counted, and shown to nobody', async () => {
    const check = () => Promise.reject(new Error('down'));
    const world = await started('Hi', [guard(['output'], 'broken', { check })]);
    replies = [words('Unchecked.')];
    await expect(step(world)).rejects.toMatchObject({ name: 'GuardFailed' });
    expect((await readMeta(table, world.id))!.run!.usage.modelCalls).toBe(1);
    expect(await stored(world)).not.toContain('Unchecked');
  });

  test('what a guardrail of the provider refuses is refused, and what it refused to read is read no more', async () => {
    const world = await started('A bad message', []);
    const guardrail = { guard: 'guardrail g1', verdict: 'refused' as const, reason: 'Not here.' };
    replies = [{ ...words(''), guardrail: { ...guardrail, at: 'input' } }];
    await run(world);
    const { messages } = await view(world);
    expect(messages[0]!.guards).toEqual([{ ...guardrail, at: 'input' }]);
    expect(messages[1]).toMatchObject({ text: 'Not here.', guards: [{ ...guardrail, at: 'input' }] });
    await say(world, 'Something else');
    await run(world);
    expect(heardAt().join()).not.toContain('bad message');
  });
});

test('a result that a guardrail of the provider refuses to read is read no more (R206)', async () => {
  const world = await started('Look', []);
  const guardrail = { guard: 'guardrail g1', at: 'input' as const, verdict: 'refused' as const, reason: 'Not here.' };
  replies = [call('look', { at: 'home' }), { ...words(''), guardrail }];
  await run(world);
  const { messages, calls } = await view(world);
  expect(messages.at(-1)).toMatchObject({ text: 'Not here.' });
  expect(messages[0]).not.toHaveProperty('guards');
  expect(calls).toMatchObject([{ result: 'SECRET of home', guards: [{ at: 'result', verdict: 'refused' }] }]);
  await say(world, 'Something else');
  await run(world);
  expect(JSON.stringify(asked.at(-1)!.items)).not.toContain('SECRET of home');
});

describe('guards of calls and results (R206)', () => {
  test('a refused call is not made, and the model reads why; a review is a guard that sees the whole reply (R14)', async () => {
    const review = () => new Map([[0, 'Reviewed.']]);
    for (const [guards, more, reason] of [
      [[guard(['call'])], {}, 'That may not be said.'],
      [[], { review }, 'Reviewed.'],
    ] as const) {
      const world = await started('Look', [...guards], more);
      replies = [call('look', { at: 'BAD place' })];
      await step(world);
      expect((await view(world)).calls).toMatchObject([
        { status: 'failed', error: `Refused before it ran: ${reason}`, guards: [{ at: 'call', verdict: 'refused' }] },
      ]);
    }
  });

  test('the arguments that replace a call’s own are the ones that run, and that the model reads', async () => {
    const world = await started('Look', [guard(['call'])]);
    replies = [call('look', { at: 'the SECRET place' })];
    await run(world);
    expect((await view(world)).calls).toMatchObject([
      { arguments: { at: 'the [hidden] place' }, result: 'SECRET of the [hidden] place' },
    ]);
    expect(asked.at(-1)!.items).toContainEqual(
      expect.objectContaining({ kind: 'call', arguments: '{"at":"the [hidden] place"}' }),
    );
  });

  test('a guard asks a person, whose approval has its reason; a call that nobody can approve is not made', async () => {
    const world = await started('Look', [guard(['call'])]);
    replies = [call('look', { at: 'HARM' })];
    await step(world);
    const { calls, callbacks } = await view(world);
    expect(calls).toMatchObject([{ status: 'waiting', guards: [{ verdict: 'asked', reason: 'It may harm.' }] }]);
    expect(callbacks[0]!.prompt).toBe(
      'May the tool "look" run with these arguments? The guard "tester" asks: It may harm.',
    );
    const asks = guard(['call'], 'asking', { check: () => ({ ask: 'Sure?' }) });
    const waiting = await started('Wait', [asks]);
    replies = [call('nap', {})];
    await step(waiting);
    expect((await view(waiting)).calls).toMatchObject([
      { status: 'failed', error: expect.stringContaining('only possible for tools that run') },
    ]);
  });

  test('the model reads what replaces a result; the owner reads the result, and it has been asked about once', async () => {
    const world = await started('Look', [guard(['result'])]);
    replies = [call('look', { at: 'home' }), call('look', { at: 'work' })];
    await run(world);
    expect(checks).toEqual(['result: SECRET of home', 'result: SECRET of work']);
    const results = asked.at(-1)!.items.filter(({ kind }) => kind === 'result');
    expect(results).toMatchObject([{ text: '[hidden] of home' }, { text: '[hidden] of work' }]);
    expect((await view(world)).calls[0]).toMatchObject({
      result: 'SECRET of home',
      guards: [{ guard: 'tester', at: 'result', verdict: 'replaced' }],
    });
  });

  test('what an approver has written into a call is checked with its result (R269)', async () => {
    const world = await started('Look', [guard(['result'])]);
    replies = [call('look', { at: 'home' })];
    await step(world);
    const { calls } = await view(world);
    const at = { conversationId: world.id, runId: calls[0]!.runId, callId: calls[0]!.id };
    await runTool({ table, now: () => time }, look as never, at);
    const set = { arguments: '{"at":"SECRET lane"}', edited: true, after: ['person'] };
    await write(table, world.id, [{ sk: key.call(calls[0]!.id), set, onlyIf: { id: calls[0]!.id } }]);
    await run(world);
    const [result] = asked.at(-1)!.items.filter(({ kind }) => kind === 'result') as { text: string }[];
    expect(result!.text).toMatch(/^The following comes from another person.*\[hidden\] lane.*\[hidden\] of home/s);
    expect(result!.text).not.toContain('SECRET');
  });

  test('another result of a call is checked again', async () => {
    const world = await started('Look', [guard(['result'])]);
    replies = [call('look', { at: 'home' })];
    await run(world);
    const { calls } = await view(world);
    const set = { status: 'failed', error: 'SECRET failure' };
    await write(table, world.id, [{ sk: key.call(calls[0]!.id), set, onlyIf: { id: calls[0]!.id } }]);
    await say(world, 'And?');
    await run(world);
    expect(checks).toEqual(['result: SECRET of home', 'result: SECRET failure']);
    expect(asked.at(-1)!.items).toContainEqual(expect.objectContaining({ text: 'Error: [hidden] failure' }));
    expect((await view(world)).calls[0]!.guards).toHaveLength(1);
  });

  test('a refused result is withheld from the model; its source stays', async () => {
    const web = defineTool({ ...look, name: 'web', source: 'web', execute: async () => 'BAD page' } as never) as never;
    const world = await started('Read', [guard(['result'])], { tools: [web] });
    replies = [call('web', { at: 'x' })];
    await step(world);
    const { calls } = await view(world);
    const at = { conversationId: world.id, runId: calls[0]!.runId, callId: calls[0]!.id };
    await runTool({ table, now: () => time }, web, at);
    await step(world);
    const [result] = asked.at(-1)!.items.filter(({ kind }) => kind === 'result') as { text: string }[];
    expect(result!.text).toMatch(/^The following comes from the web.*This is withheld, because the guard/s);
    expect(JSON.stringify(asked.at(-1)!.items)).not.toContain('BAD');
    expect((await readMeta(table, world.id))!.run!.sources).toEqual(['web']);
  });
});

describe('definitions of guards (R206, R193)', () => {
  const check = () => 'pass' as const;
  test.each<[object, string]>([
    [{ name: 'My guard', at: ['input'], check }, 'guard My guard: name: use kebab-case'],
    [{ name: 'g', at: [], check }, 'guard g: at: name at least one place: input, output, call, result'],
    [{ name: 'g', at: ['inputs'], check }, 'guard g: at[0]: must be "input", "output", "call" or "result"'],
    [{ name: 'g', at: ['input', 'input'], check }, 'guard g: at: a place is listed twice'],
    [{ name: 'g', at: ['input'] }, 'guard g: check: is missing: it must be a function'],
    [
      { name: 'g', at: ['input'], check, timeoutSeconds: 61 },
      'guard g: timeoutSeconds: must be a whole number from 1 to 60',
    ],
    [{ name: 'g', at: ['input'], check, needs: { secrets: ['key'] } }, 'guard g: needs: key: use UPPER_CASE'],
    [
      { name: 'g', at: ['input'], check, needs: { optional: ['A_KEY'] } },
      'guard g: needs.optional: A_KEY: it is none of "secrets" and "variables"',
    ],
    [
      { name: 'g', at: ['input'], cheque: check },
      'guard g: cheque: there is no such field: the fields are name, at, needs, media, timeoutSeconds or check',
    ],
  ])('%j is refused', (spec, message) => {
    expect(() => defineGuard(spec as never)).toThrow(message);
  });

  test('an agent lists each guard once, and two guards cannot share a name', () => {
    const base = { purpose: 'p', instructions: 'i', model: 'm', tools: [] };
    const [one, other] = [guard(['input']), guard(['input'])];
    expect(() => defineAgent({ ...base, name: 'a', guards: [one, one] })).toThrow(
      'agent a: guards: tester is listed twice',
    );
    expect(() => defineAgent({ ...base, name: 'a', guards: [{} as never] })).toThrow(
      'agent a: guards[0]: must be what defineGuard returns',
    );
    const agents = [
      defineAgent({ ...base, name: 'a', guards: [one] }),
      defineAgent({ ...base, name: 'b', guards: [other] }),
    ];
    expect(() => registry(agents)).toThrow('guard tester: there are two with this name');
  });
});
