import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { signIn, type User } from './support/api-client';
import { type Checkout, checkOut, type Started } from './support/clouds/npm-start';
import { executionsOf, historyOf, statesEntered } from './support/history';
import { type ChatRequest, type ModelServer, type Reply, startModelServer } from './support/servers/model-server';
import { wordsOf } from './support/stories/transcript';

// One `npm start` on a copy of the sources, whose files are changed while it runs.

const agent = (name: string, instructions: string, tools: string) => `
import { defineAgent } from '../core/conversations/agent/agent';
import { schedule } from '../tools/timers/schedule';
import { ${tools} } from '../tools/${tools}';

export const ${name} = defineAgent({
  name: '${name}', purpose: 'Tries things.', instructions: '${instructions}', model: 'test-model',
  tools: [schedule, ${tools}],
});`;

const tool = (name: string, answer: string) => `
import { appendFileSync, existsSync } from 'node:fs';
import * as z from 'zod';
import { defineTool } from '../core/conversations/agent/tool';
import { word } from '../shared/word';
import { serveTool } from '../runtime/serve-tool';

export const ${name} = defineTool({
  name: '${name}', description: 'Says a word.', effect: 'read', timeoutSeconds: 300,
  input: z.object({ until: z.string().nullable().describe('A file to wait for') }),
  output: z.object({ word: z.string() }),
  async execute({ until }) {
    if (until) appendFileSync(until + '.begun', '');
    while (until && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 10));
    return { word: ${answer} };
  },
});

export const handler = serveTool(${name});`;

const shared = (word: string) => `export const word: string = '${word}';`;

const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

/** Does what the user says: `sleep`, or `<tool> [<file to wait for>]`. */
function model({ messages }: ChatRequest): Reply {
  const last = messages.at(-1)!;
  if (last.role === 'tool') return { text: `I got ${last.content}` };
  const [, name = '', file = null] = /(\w+)(?: (\/\S+))?\s*$/.exec(String(last.content)) ?? [];
  if (name === 'sleep') return { toolCalls: [{ name: 'schedule', arguments: { at: tomorrow } }] };
  return { toolCalls: [{ name, arguments: { until: file } }] };
}

let checkout: Checkout;
let vigil: Started;
let server: ModelServer;
let ada: User;
let sleeper: { id: string; runId: string };
let sleeping: string[];
const stateDirectory = () => join(checkout.root, '.vigil');
const environment = () => ({
  OPENAI_BASE_URL: server.url,
  OPENAI_API_KEY: 'sk-test',
  // A title would be one more request.
  VIGIL_TITLES: 'off',
  VIGIL_STATE_DIR: stateDirectory(),
});

beforeAll(async () => {
  server = await startModelServer({ script: model });
  checkout = await checkOut();
  checkout.write('shared/word.ts', shared('first'));
  checkout.write('tools/say.ts', tool('say', 'word'));
  checkout.write('agents/probe-agent.ts', agent('probe', 'The first instructions.', 'say'));
  vigil = await checkout.start(environment());
  expect(vigil.screen().split('\n')[0]).toBe('Starting Vigil…');
  expect(vigil.screen()).toContain('Synthesizing the stack…');
  ada = await signIn(vigil.url, 'ada');
  const { id } = await ada.start('probe', 'sleep');
  sleeper = { id, runId: (await ada.asleep(id)).run!.id };
  sleeping = await history();
}, 240_000);
afterAll(async () => {
  await checkout?.dispose();
  await server?.stop();
});
jest.setTimeout(240_000);

/** What happened in the sleeper's execution. */
async function history(): Promise<string[]> {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'x' };
  const client = new SFNClient({ endpoint: vigil.awsUrl, region: 'us-east-1', credentials });
  try {
    const { stateMachines } = await client.send(new ListStateMachinesCommand({}));
    const { stateMachineArn } = stateMachines!.find(({ name }) => name?.includes('AgentLoop'))!;
    const executions = await executionsOf(client, stateMachineArn!, sleeper.runId);
    const events = await Promise.all(executions.map(({ executionArn }) => historyOf(client, executionArn!)));
    return statesEntered(events.flat());
  } finally {
    client.destroy();
  }
}

/** What the agent has to say in a conversation of its own. */
async function answerTo(text: string, name = 'probe'): Promise<string | undefined> {
  const { id } = await ada.start(name, text);
  return wordsOf(await ada.finished(id)).at(-1)?.[1];
}
const instructionsSeen = () => String(server.requests.at(-1)!.messages[0]!.content);

test('a file that a tool imports is live when it is saved, wherever it lies; a call under way ends on the old code (R127)', async () => {
  expect(await answerTo('say')).toBe('I got {"word":"first"}');
  const go = join(checkout.root, 'go');
  const { id } = await ada.start('probe', `say ${go}`);
  await ada.until(id, () => existsSync(`${go}.begun`), 120_000);
  checkout.write('shared/word.ts', shared('second'));
  await vigil.says(/^Changed: shared\/word\.ts\. Live in [\d.]+ s\.$/m);
  expect(await answerTo('say')).toBe('I got {"word":"second"}');
  writeFileSync(go, '');
  expect(wordsOf(await ada.finished(id)).at(-1)?.[1]).toBe('I got {"word":"first"}');
});

test('what cannot be built is said with its place, and the old code stays; the next good save is live, with a tool and an agent that are new (R15, R96, R127)', async () => {
  const changed = agent('probe', 'The second instructions.', 'say');
  checkout.write('agents/probe-agent.ts', changed.replace('tools:', 'tools;'));
  await vigil.says(/^agents\/probe-agent\.ts:8:\d+: Expected .* The old code stays\.$/m);
  checkout.write('tools/say.ts', `${tool('say', 'word')}\nthrow new TypeError('not today');`);
  checkout.write('agents/probe-agent.ts', changed);
  await vigil.says(
    /^agents\/index\.ts does not load: TypeError: not today \(tools\/say\.ts:\d+\)\. The old code stays\.$/m,
  );
  expect(await answerTo('say')).toBe('I got {"word":"second"}');
  expect(instructionsSeen()).toContain('The first instructions.');
  checkout.write('tools/shout.ts', tool('shout', 'word + "!!!"'));
  checkout.write('agents/loud-agent.ts', agent('loud', 'Be loud.', 'shout'));
  checkout.write('tools/say.ts', tool('say', 'word + "!"'));
  await vigil.says(/^Changed: .*tools\/say\.ts.*\. Live in [\d.]+ s\.$/m);
  expect(await answerTo('say')).toBe('I got {"word":"second!"}');
  expect(instructionsSeen()).toContain('The second instructions.');
  expect(await answerTo('shout', 'loud')).toBe('I got {"word":"second!!!"}');
});

test('all that woke nobody; who sleeps wakes by the clock (R127)', async () => {
  expect(await history()).toEqual(sleeping);
  const ofSleeper = server.requests.filter(({ messages }) => JSON.stringify(messages).includes('"sleep"'));
  expect(ofSleeper).toHaveLength(1);
  expect((await ada.read(sleeper.id)).status).toBe('sleeping');
  const body = JSON.stringify({ advance: 'P2D' });
  expect((await fetch(`${vigil.url}/_local/clock`, { method: 'POST', body })).status).toBe(200);
  ada = await signIn(vigil.url, 'ada');
  expect(wordsOf(await ada.finished(sleeper.id)).at(-1)?.[1]).toContain('The time has come');
  expect(await history()).toEqual([...sleeping, 'CallModel', 'Route', 'Done']);
});

test('the next start finds what was made live; with --no-watch it says that changes wait for the one after (R127)', async () => {
  expect(await vigil.stop()).toBe(0);
  vigil = await checkout.start(environment(), '--no-watch');
  expect(vigil.screen()).not.toContain('Synthesizing');
  expect(vigil.screen()).toMatch(/Changes +are live at the next start/);
  ada = await signIn(vigil.url, 'ada');
  expect(await answerTo('shout', 'loud')).toBe('I got {"word":"second!!!"}');
  expect(await vigil.stop()).toBe(0);
});
