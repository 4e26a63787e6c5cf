import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getLibFiles, ts } from '@ts-morph/common';

// What an author reads who makes a mistake: the compiler's first line says which field is wrong.

const root = join(__dirname, '..');
const folder = join(root, '.vigil/type-messages');

const surroundings = `
import * as z from 'zod';
import { Stack } from 'aws-cdk-lib';
import { defineAgent, defineGuard, defineProvider, defineTool, hosted, moderation, redact, serveIsolated, serveTool } from '../../package';
import { Vigil } from '../../infra';
import { createClient } from '../../packages/client/src';
import { call, startVigil, startThirdParty, type Vigil as Story } from '../../package/testing';
declare const stack: Stack;
declare const story: Story;
const words = { name: 'pay', description: 'Pays.' };
const input = z.object({ cents: z.int().describe('How much') });
const output = z.object({ paid: z.boolean() });
const paid = { paid: true };
const pay = defineTool({ ...words, input, output, effect: 'once', execute: async () => paid });
const look = defineTool({ ...words, input, output, effect: 'read', isolated: true, execute: async () => paid });
const agent = { name: 'clerk', purpose: 'Pays.', instructions: 'Pay.', model: 'gpt-6.1-terra', tools: [pay] };
const client = createClient({ url: 'https://api.example', token: () => 'x' });
`;
const tool = (fields: string, rest = 'input, output, execute: async () => paid') =>
  `defineTool({ ...words, ${rest}, ${fields} });`;
const withCode = (execute: string, more = '') => tool(`effect: 'once', ${more} execute: ${execute}`, 'input, output');

/** The beginning of each message, which both compilers say: they list the members of a union in orders of their own. */
const mistakes: [mistake: string, code: string, message: string][] = [
  [
    'a result of another type',
    withCode('async () => ({ ok: 1 })'),
    "Type 'Promise<{ ok: number; }>' is not assignable to type 'Promise<{ paid: boolean; }",
  ],
  ['a misspelt effect', tool("effect: 'reed'"), "Type '\"reed\"' is not assignable to type 'Effect'."],
  ['no effect', tool("source: 'none'"), "Property 'effect' is missing in type"],
  ['no output', tool("effect: 'once'", 'input, execute: async () => paid'), "Property 'output' is missing in type"],
  ['no execute', tool("effect: 'once'", 'input, output'), "Property 'execute' is missing in type"],
  [
    'a misspelt setting of a hosted tool',
    'hosted.webSearch({ alowedDomains: [] });',
    "Object literal may only specify known properties, but 'alowedDomains' does not exist in type 'WebSearch'. Did you mean",
  ],
  [
    'a hosted tool without what it needs',
    'defineAgent({ ...agent, tools: [pay, hosted.fileSearch({ maxResults: 3 })] });',
    "Property 'vectorStores' is missing in type",
  ],
  [
    'a field too many',
    tool("effect: 'once', timeout: 3"),
    "Object literal may only specify known properties, and 'timeout' does not exist in type 'FunctionToolSpec<",
  ],
  [
    'a misspelt approver',
    tool("effect: 'once', approval: { when: () => true, prompt: 'Pay?', aprovers: 'owner' }"),
    "Object literal may only specify known properties, but 'aprovers' does not exist in type 'Approval<",
  ],
  [
    'an approval that is no boolean',
    tool("effect: 'once', approval: { when: () => 'yes', prompt: 'Pay?' }"),
    "Type 'string' is not assignable to type 'boolean'.",
  ],
  [
    'a misspelt kind',
    tool("kind: 'wiat', until: () => new Date()", 'input'),
    'Type \'"wiat"\' is not assignable to type \'"',
  ],
  [
    'a field that a kind of provider lacks',
    "defineProvider({ name: 'claude', kind: 'anthropic', key: 'ANTHROPIC_API_KEY', region: 'eu-central-1' });",
    "Object literal may only specify known properties, and 'region' does not exist in type '",
  ],
  [
    'a guard of messages that asks a person',
    "defineGuard({ name: 'g', at: ['input'], check: () => ({ ask: 'Really?' }) });",
    "Type '{ ask: string; }' is not assignable to type '",
  ],
  [
    'a place where there is no guard',
    "defineGuard({ name: 'g', at: ['inputs'], check: () => 'pass' });",
    'Type \'"inputs"\' is not assignable to type \'"',
  ],
  [
    'a verdict that there is not',
    "defineGuard({ name: 'g', at: ['output'], check: () => 'fail' });",
    "Type '\"fail\"' is not assignable to type '",
  ],
  [
    'a secret that a guard does not declare',
    "defineGuard({ name: 'g', at: ['output'], needs: { secrets: ['A_KEY'] }, check: (_, { secrets }) => ({ refuse: secrets.B_KEY }) });",
    "Property 'B_KEY' does not exist on type 'Values<\"A_KEY\", never>'. Did you mean 'A_KEY'?",
  ],
  [
    'a field of a redactor that there is not',
    "redact({ pattern: {}, at: ['input'] });",
    "Object literal may only specify known properties, but 'pattern' does not exist in type 'RedactOptions'.",
  ],
  [
    'a field of a moderation that there is not',
    "moderation({ provider: defineProvider({ name: 'o', kind: 'openai' }), at: ['input'], category: {} });",
    "Object literal may only specify known properties, and 'category' does not exist in type 'ModerationOptions'.",
  ],
  [
    'a tool that the registry makes',
    tool("kind: 'hand-off', to: 'bank'", 'input'),
    'Type \'"hand-off"\' is not assignable to type',
  ],
  [
    'an argument that there is not',
    withCode('async ({ cent }) => ({ paid: cent > 0 })'),
    "Property 'cent' does not exist on type '{ cents: number; }'.",
  ],
  [
    'a secret that is not declared',
    withCode('async (_, { secrets }) => ({ paid: !secrets.B_KEY })', "source: 'none', needs: { secrets: ['A_KEY'] },"),
    "Property 'B_KEY' does not exist on type 'Values<\"A_KEY\", never>'. Did you mean 'A_KEY'?",
  ],
  [
    'a secret that may be unset',
    withCode(
      'async (_, { secrets }) => ({ paid: secrets.A_KEY.length > 0 })',
      "source: 'none', needs: { secrets: ['A_KEY'], optional: ['A_KEY'] },",
    ),
    "'secrets.A_KEY' is possibly 'undefined'.",
  ],
  [
    'an optional name that is not declared',
    withCode('async () => paid', "source: 'none', needs: { secrets: ['A_KEY'], optional: ['A_URL'] },"),
    'Type \'"A_URL"\' is not assignable to type \'"A_KEY"\'.',
  ],
  [
    'a misspelt need',
    withCode('async () => paid', "source: 'none', needs: { secret: ['A_KEY'] },"),
    "Object literal may only specify known properties, but 'secret' does not exist in type 'Needs<never, never, never>'. Did you mean to write 'secrets'?",
  ],
  [
    'a webhook that delivers nothing',
    tool("effect: 'once', webhook: { delivers: 'x', expiresInSeconds: 60, fallback: 'None.' }"),
    'Type \'"x"\' is not assignable to type \'"',
  ],
  [
    'an isolated tool that writes rows',
    tool("effect: 'table', isolated: true"),
    'Type \'"table"\' is not assignable to type \'"',
  ],
  [
    'an isolated tool that reads who asks',
    withCode('async (_, { user }) => ({ paid: !user })', 'isolated: true,'),
    "Property 'user' does not exist on type 'IsolatedContext<",
  ],
  [
    'a foreign tool with code',
    tool("effect: 'once', foreign: true, source: 'none'"),
    "Object literal may only specify known properties, and 'execute' does not exist in type 'ForeignToolSpec<",
  ],
  [
    'a foreign tool with needs',
    tool("effect: 'once', foreign: true, source: 'none', needs: { secrets: ['A_KEY'] }", 'input, output'),
    "Object literal may only specify known properties, and 'needs' does not exist in type 'ForeignToolSpec<",
  ],
  [
    'a tool with code that says that it compensates',
    tool("effect: 'once', compensates: true"),
    "Object literal may only specify known properties, but 'compensates' does not exist in type 'FunctionToolSpec<",
  ],
  [
    'a wait with an output',
    tool("kind: 'wait', until: () => new Date()", 'input, output'),
    "Object literal may only specify known properties, and 'output' does not exist in type 'WaitTool<",
  ],
  [
    'a wait until no time',
    tool("kind: 'wait', until: () => 5", 'input'),
    "Type 'number' is not assignable to type 'Date'.",
  ],
  ['a tool with the table that is served as an isolated one', 'serveIsolated(pay);', "Argument of type 'FunctionTool<"],
  [
    'a misspelt limit',
    'defineAgent({ ...agent, limits: { step: 3 } });',
    "Object literal may only specify known properties, but 'step' does not exist in type",
  ],
  ['a misspelt policy', "defineAgent({ ...agent, onMessage: 'qeue' });", 'Type \'"qeue"\' is not assignable to type'],
  ['a tool by its name', "defineAgent({ ...agent, tools: ['pay'] });", "Type 'string' is not assignable to type"],
  [
    'a handler for a tool',
    'defineAgent({ ...agent, tools: [serveTool(pay)] });',
    "Type '(event: unknown, context?: Context) => Promise<void>' is not assignable to type '",
  ],
  [
    'a misspelt field of an agent',
    "defineAgent({ ...agent, handoffs: ['bank'] });",
    "Object literal may only specify known properties, but 'handoffs' does not exist in type 'AgentSpec",
  ],
  ['no folder of agents', "new Vigil(stack, 'A', { tools: ['./tools'] });", "Property 'agents' is missing in type"],
  [
    'one folder of tools',
    "new Vigil(stack, 'A', { agents: './agents', tools: './tools' });",
    "Type 'string' is not assignable to type 'string[]'.",
  ],
  [
    'a misspelt prop',
    "new Vigil(stack, 'A', { agents: './agents', limits: { stepOfRun: 7 } });",
    "Object literal may only specify known properties, but 'stepOfRun' does not exist in type",
  ],
  [
    'a prop of another type',
    "new Vigil(stack, 'A', { agents: './agents', models: { titles: 'off' } });",
    "Type 'string' is not assignable to type 'boolean | undefined'.",
  ],
  ['a client without a token', "createClient({ url: 'https://api.example' });", "Property 'token' is missing in type"],
  [
    'a misspelt option',
    "createClient({ url: 'https://api.example', token: () => 'x', timeoutMS: 5 });",
    "Object literal may only specify known properties, but 'timeoutMS' does not exist in type 'ClientOptions'. Did you mean to write 'timeoutMs'?",
  ],
  [
    'a misspelt message',
    "client.start({ agent: 'clerk', txt: 'Pay Ada.' });",
    "Object literal may only specify known properties, but 'txt' does not exist in type 'StartConversation & WithFiles'. Did you mean to write 'text'?",
  ],
  [
    'a number for an id',
    'client.conversation(5);',
    "Argument of type 'number' is not assignable to parameter of type 'string'.",
  ],
  [
    'misspelt variables of a story',
    "startVigil({ varibles: { A_KEY: 'k' } });",
    "Object literal may only specify known properties, but 'varibles' does not exist in type 'VigilOptions'. Did you mean to write 'variables'?",
  ],
  [
    'a call with a text for its arguments',
    "call('pay', 'all');",
    "Argument of type 'string' is not assignable to parameter of type 'object'.",
  ],
  ['a misspelt fault', "story.fault({ function: 'Pay', kind: 'crsh' });", 'Type \'"crsh"\' is not assignable to type'],
  [
    'a number for a duration',
    'story.advance(5);',
    "Argument of type 'number' is not assignable to parameter of type 'string'.",
  ],
  [
    'a misspelt option of a third party',
    'startThirdParty({ answers: async () => undefined });',
    "Object literal may only specify known properties, and 'answers' does not exist in type",
  ],
];

/** The compilers' messages, by the lines of the file. */
type Messages = Map<number, string[]>;
let old: Messages;
let now: Messages;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  const code = mistakes.map(([, one]) => one).join('\n');
  writeFileSync(join(folder, 'mistakes.ts'), `${surroundings}${code}\n`);
  const compilerOptions = { noUnusedLocals: false, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
  const config = { extends: '../../tsconfig.json', compilerOptions, files: ['mistakes.ts'], include: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  old = messagesOf59();
  now = messagesOf7();
}, 120_000);

/** The compiler of 5.9 without its command, which would replace that of 7. */
function messagesOf59(): Messages {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const libs = new Map(getLibFiles().map(({ fileName, text }) => [`/lib/${fileName}`, text]));
  const { readFile, fileExists } = host;
  Object.assign(host, {
    getDefaultLibLocation: () => '/lib',
    getDefaultLibFileName: () => `/lib/${ts.getDefaultLibFileName(options)}`,
    readFile: (file: string) => libs.get(file) ?? readFile(file),
    fileExists: (file: string) => libs.has(file) || fileExists(file),
    getSourceFile: (file: string, languageVersion: number) => {
      const text = libs.get(file) ?? readFile(file);
      return text === undefined ? undefined : ts.createSourceFile(file, text, languageVersion);
    },
  });
  const program = ts.createProgram(fileNames, options, host);
  const source = program.getSourceFile(join(folder, 'mistakes.ts'))!;
  const messages: Messages = new Map();
  for (const { start = 0, messageText } of program.getSemanticDiagnostics(source)) {
    const { line } = source.getLineAndCharacterOfPosition(start);
    note(messages, line + 1, ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
  return messages;
}

function messagesOf7(): Messages {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { encoding: 'utf8' });
  const messages: Messages = new Map();
  for (const [, line, message] of stdout.matchAll(/^\S*mistakes\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm))
    note(messages, Number(line), message!);
  return messages;
}

const note = (messages: Messages, line: number, message: string) =>
  messages.set(line, [...(messages.get(line) ?? []), said(message)]);

/** Returns the first line of a message, or the second if the first only quotes the argument. */
function said(message: string): string {
  const [first = '', second] = message.split('\n');
  return second && /^Argument of type '\{/.test(first) ? second.trim() : first;
}

const firstLine = surroundings.split('\n').length;

test.each(mistakes.map(([mistake, , message], index) => [mistake, message, firstLine + index] as const))(
  '%s: the message names it (R246)',
  (_mistake, message, line) => {
    for (const messages of [old, now]) {
      const [first = 'The compiler finds no mistake.'] = messages.get(line) ?? [];
      expect(first.slice(0, message.length)).toBe(message);
    }
  },
);

test('what surrounds the mistakes has none (R246)', () => {
  for (const messages of [old, now]) expect([...messages.keys()].filter((line) => line < firstLine)).toEqual([]);
});
