import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getLibFiles, ts } from '@ts-morph/common';
import * as z from 'zod';
import { hosted } from '../core/base/models/hosted';
import { defineProvider } from '../core/base/models/provider';
import { defineAgent } from '../core/conversations/agent/agent';
import { registry } from '../core/conversations/agent/registry';
import { tableEffect } from '../core/conversations/agent/table-effect';
import { defineTool } from '../core/conversations/agent/tool';
import { mcp } from '../modules/mcp/server';

// What an author reads who makes a mistake. Authors write plain JavaScript, too, and the compiler does not run everywhere.

/** What stands before each mistake. */
const surroundings = `
const words = { name: 'pay', description: 'Pays.' };
const input = z.object({ cents: z.int().describe('How much') });
const output = z.object({ paid: z.boolean() });
const paid = { paid: true };
const whole = { ...words, input, output, execute: async () => paid };
const calling = { ...words, input, output, effect: 'once' as const };
const pay = defineTool({ ...whole, effect: 'once' });
const clerk = { name: 'clerk', purpose: 'Pays.', instructions: 'Pay.', model: 'gpt-6.1-terra', tools: [pay] };
const agents = './agents';
`;
const forTheCompiler = `
import * as z from 'zod';
import { defineAgent, defineGuard, defineProvider, defineTool, hosted, moderation, redact, serveIsolated, serveTool } from '../../package';
import { createClient } from '../../packages/client/src';
const client = createClient({ url: 'https://api.example', token: () => 'x' });
${surroundings}`;
const largeForTheCompiler = `
import { Stack } from 'aws-cdk-lib';
import { Vigil } from '../../infra';
import { call, startVigil, startThirdParty, type Vigil as Story } from '../../package/testing';
declare const story: Story;`;
/** What makes a mistake short where the compiler has no say. */
const forJavaScript = `
const tool = (more) => defineTool({ ...whole, effect: 'once', ...more });
const approval = (more) => tool({ approval: { when: () => true, prompt: 'Pay?', ...more } });
const field = (schema) => tool({ input: z.object({ a: schema.describe('x') }) });
const endless = z.lazy(() => endless);
const webhook = { delivers: 'result', expiresInSeconds: 60, fallback: 'Nothing came.' };
const agent = (more) => defineAgent({ ...clerk, ...more });
const provider = (more) => defineProvider({ name: 'p', kind: 'chat', baseUrl: 'https://m.example', ...more });
const claude = defineProvider({ name: 'claude', kind: 'anthropic' });
const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const effect = (more) => tableEffect({ output: 1, ...more });
const repeated = (rule) => effect({ timer: { kind: 'repeat', at: new Date(), text: 'x', rule } });
const pin = { tools: [{ name: 'find', inputSchema: { type: 'object' } }] };
const server = (more) => mcp('github', { url: 'https://mcp.example', pin, allow: { '*': {} }, ...more }).tools();
`;

/** Fields that all take something else than `1n`. */
const typed = {
  tool: 'approval execute compensate check afterUntrusted verify input output strict retry timeoutSeconds isolated',
  approval: 'approvers when excludesOwner expiresInSeconds kinds',
  agent: 'tools review handOffs output end recall examples holdFailedDays',
};
const begins: Record<string, string> = { tool: 'tool pay: ', approval: 'tool pay: approval.', agent: 'agent clerk: ' };

/** The beginning of what JavaScript says when the definition is built, and a part of what both compilers say first. */
const mistakes: [code: string, javaScript: string, compiler?: string][] = [
  ...Object.entries(typed).flatMap(([maker, fields]) =>
    fields
      .split(' ')
      .map((field): [string, string] => [`${maker}({ ${field}: 1n })`, `${begins[maker]}${field}: must be `]),
  ),
  // The effect decides whether an attempt is repeated.
  [
    "defineTool({ ...whole, effect: 'onec' })",
    'tool pay: effect: must be "read", "table", "idempotent" or "once"',
    `Type '"onec"' is not assignable to type 'Effect'.`,
  ],
  [
    'defineTool({ ...whole })',
    'tool pay: effect: is missing: it must be "read", "table", "idempotent" or "once"',
    "Property 'effect' is missing in type",
  ],
  // Who decides.
  [
    "defineTool({ ...whole, effect: 'once', approval: { when: () => true, prompt: 'Pay?', aprovers: 'owner' } })",
    'tool pay: approval.aprovers: there is no such field: did you mean "approvers"?',
    "'aprovers' does not exist in type 'Approval<",
  ],
  ["approval({ approvers: { groups: ['finance'] } })", 'tool pay: approval.approvers.groups: there is no such field'],
  [
    "approval({ approvers: { group: 'finance', claim: 'role', value: 'x' } })",
    'tool pay: approval.approvers.group: there is no such',
  ],
  ["approval({ approvers: { claim: 'role' } })", 'tool pay: approval.approvers.value: is missing: it must be a text'],
  ["approval({ approvers: ['finance'] })", 'tool pay: approval.approvers[0]: must be an object'],
  [
    "approval({ approvers: [{ by: { group: 'finance' }, counts: 2 }] })",
    'tool pay: approval.approvers[0].counts: there is no such field',
  ],
  ['approval({ approvers: [] })', 'tool pay: approval.approvers: name 1 to 5 steps'],
  [
    "approval({ approvers: [{ by: { group: 'finance' }, count: 0 }] })",
    'tool pay: approval.approvers[0].count: must be a whole number from 1 to 10',
  ],
  ["approval({ approvers: [{ by: { group: 'a b' } }] })", 'tool pay: approval.approvers[0].by.group: use 1 to 128'],
  [
    "approval({ approvers: [{ by: 'owner', count: 2 }, { by: { group: 'a' } }] })",
    'tool pay: approval.approvers[0].count: a conversation has one owner: leave it out',
  ],
  [
    "approval({ approvers: [{ by: 'owner' }, { by: { group: 'a' } }], excludesOwner: true })",
    "tool pay: approval.excludesOwner: a step is the owner's: nobody could decide it",
  ],
  ["approval({ approvers: [{ by: 'owner' }, { by: 'owner' }] })", 'tool pay: approval.approvers: the owner decides'],
  [
    "approval({ approvers: [{ by: 'owner', escalation: { afterSeconds: 60, to: { group: 'a' } } }] })",
    "tool pay: approval.approvers[0].escalation: the owner's step cannot escalate",
  ],
  [
    "approval({ approvers: [{ by: { group: 'a' }, escalation: { afterSeconds: 1, to: { group: 'b' } } }] })",
    'tool pay: approval.approvers[0].escalation.afterSeconds: must be a whole number from 60 to',
  ],
  [
    "approval({ approvers: [{ by: { group: 'a' }, escalation: { afterSeconds: 60, to: 'owner' } }] })",
    'tool pay: approval.approvers[0].escalation.to: name a group or a claim',
  ],
  ['approval({ reminders: { everySeconds: 1 } })', 'tool pay: approval.reminders.everySeconds: must be a whole'],
  ['approval({ when: undefined })', 'tool pay: approval.when: is missing: it must be a function'],
  ['approval({ prompt: undefined })', 'tool pay: approval.prompt: is missing: it must be a text'],
  ['approval({ money: { cents: 100 } })', 'tool pay: approval.money.cents: must be a text'],
  // Functions.
  [
    "defineTool({ ...words, input, output, effect: 'once' })",
    'tool pay: execute: is missing: it must be a function',
    "Property 'execute' is missing in type",
  ],
  [
    "defineTool({ ...whole, effect: 'once', compensates: true })",
    'tool pay: compensates: only a foreign tool has it: write "compensate"',
    "'compensates' does not exist in type 'FunctionToolSpec<",
  ],
  [
    "tool({ foreign: true, source: 'none', compensates: 'yes', execute: undefined })",
    'tool pay: compensates: must be true or false',
  ],
  [
    "defineTool({ ...words, input, output, effect: 'once', foreign: true, source: 'none', needs: { secrets: ['A_KEY'] } })",
    'tool pay: needs: a foreign tool has none: its own function has',
    "'needs' does not exist in type 'ForeignToolSpec<",
  ],
  // Schemas.
  ['tool({ input: undefined })', 'tool pay: input: is missing: it must be a z.object(…)'],
  [
    "defineTool({ ...words, input, execute: async () => paid, effect: 'once' })",
    'tool pay: output: is missing: it must be a schema of zod',
    "Property 'output' is missing in type",
  ],
  // Names and words.
  ['tool({ name: undefined })', 'tool without a name: name: is missing: it must be a text'],
  ['tool({ description: undefined })', 'tool pay: description: is missing: it must be a text'],
  ["tool({ desciption: 'Pays.' })", 'tool pay: desciption: there is no such field: did you mean "description"?'],
  [
    "defineTool({ ...words, input, kind: 'hand-off', to: 'bank' })",
    'tool pay: kind: must be "function", "wait" or "callback"',
    `Type '"hand-off"' is not assignable to type`,
  ],
  [
    "defineTool({ ...words, input, kind: 'wiat', until: () => new Date() })",
    'tool pay: kind: must be "function", "wait" or "callback"',
    `Type '"wiat"' is not assignable to type '"`,
  ],
  [
    "defineTool({ ...words, input, output, kind: 'wait', until: () => new Date() })",
    'tool pay: output: there is no such field',
    "'output' does not exist in type 'WaitTool<",
  ],
  ["defineTool({ ...pay, kind: 'callback', output: undefined, effect: undefined })", 'tool pay: '],
  ['defineTool(undefined)', 'defineTool: it needs an object'],
  // Attempts.
  ['tool({ retry: { maxAttempt: 3 } })', 'tool pay: retry.maxAttempt: there is no such field'],
  [
    "defineTool({ ...whole, effect: 'once', timeout: 3 })",
    'tool pay: timeout: there is no such field',
    "'timeout' does not exist in type 'FunctionToolSpec<",
  ],
  // What it reaches, and whose words it brings.
  [
    "defineTool({ ...whole, effect: 'once', source: 'none', needs: { secret: ['A_KEY'] } })",
    'tool pay: needs.secret: there is no such field',
    "'secret' does not exist in type 'Needs<never, never, never>'. Did you mean to write 'secrets'?",
  ],
  ["tool({ needs: { secrets: { A_KEY: 'The key' } } })", 'tool pay: needs.secrets: must be a list'],
  ["tool({ needs: { secrets: ['A_KEY'] } })", 'tool pay: source: is missing: it needs A_KEY, so say where'],
  ["tool({ needs: { variables: ['CRM_URL'] } })", 'tool pay: source: is missing: it needs CRM_URL'],
  ['tool({ foreign: true, execute: undefined })', 'tool pay: source: is missing: it is foreign'],
  ["tool({ source: 'internet' })", 'tool pay: source: must be "web", "person", "system", "file", "unknown" or "none"'],
  [
    "defineTool({ ...whole, effect: 'once', webhook: { delivers: 'x', expiresInSeconds: 60, fallback: 'None.' } })",
    'tool pay: webhook.delivers: must be "result" or "message"',
    `Type '"x"' is not assignable to type '"`,
  ],
  // Agents.
  ["agent({ instruction: 'Pay.' })", 'agent clerk: instruction: there is no such field'],
  ['agent({ instructions: undefined })', 'agent clerk: instructions: is missing: it must be a function'],
  ['agent({ name: undefined })', 'agent without a name: name: is missing: it must be a text'],
  [
    "defineAgent({ ...clerk, tools: ['pay'] })",
    'agent clerk: tools[0]: must be what defineTool or a function of hosted returns',
    "Type 'string' is not assignable to type",
  ],
  ['agent({ tools: [{ ...pay, kind: undefined }] })', 'tool pay: kind: must be "function", "wait" or "callback"'],
  ["agent({ tools: [{ ...pay, effect: 'onec' }] })", 'tool pay: effect: must be'],
  [
    'defineAgent({ ...clerk, limits: { step: 3 } })',
    'agent clerk: limits.step: there is no such field: did you mean "steps"?',
    "'step' does not exist in type",
  ],
  ["agent({ limits: { seconds: '60' } })", 'agent clerk: limits.seconds: must be a number'],
  [
    "defineAgent({ ...clerk, onMessage: 'qeue' })",
    'agent clerk: onMessage: must be "merge", "interrupt", "queue" or "reject"',
    `Type '"qeue"' is not assignable to type`,
  ],
  [
    "defineAgent({ ...clerk, handoffs: ['bank'] })",
    'agent clerk: handoffs: there is no such field',
    "'handoffs' does not exist in type 'AgentSpec",
  ],
  ["agent({ delegates: [{ name: 'bank' }] })", 'agent clerk: delegates[0]: must be a text'],
  ['agent({ output: z.object({ a: z.record(z.string(), z.string()) }) })', 'agent clerk: output.a: a record has no'],
  ["agent({ model: { name: 'm', effort: 'hihg' } })", 'agent clerk: model.effort: must be "none"'],
  ["agent({ model: { name: 'm', takes: ['video'] } })", 'agent clerk: model.takes[0]: must be "image" or "pdf"'],
  ["agent({ model: { name: 'm', maxTokens: 99 } })", 'agent clerk: model.maxTokens: there is no such field'],
  ["agent({ model: { name: 'm', provider: 'deepseek' } })", 'agent clerk: model.provider.kind: must be "openai",'],
  ['defineAgent(null)', 'agent without a name: must be an object'],
  ['registry([{ ...clerk }])', "agent clerk: an agent's file exports agents only"],
  // Schemas: of what a model sends, and of what is kept.
  ['field(z.lazy(() => undefined))', 'tool pay: input: its schema cannot be read: Cannot read'],
  ['field(endless)', 'tool pay: input.a: it has nothing but itself'],
  ['field(z.literal(Number.NaN))', 'tool pay: input.a: a fixed value must be'],
  ['field(z.string().default(5))', 'tool pay: input.a: its default, 5, does not fit: Invalid input: expected'],
  ['field(z.string().prefault(5))', 'tool pay: input.a: its prefault, 5, does not fit'],
  ['field(z.string().catch(5))', 'tool pay: input.a: its catch, 5, does not fit'],
  ["field(z.string().default(() => { throw new Error('no default'); }))", 'tool pay: input: its schema cannot be'],
  ['field(z.string().refine(async () => true))', 'tool pay: input.a: a refinement or a transform must not be async'],
  ["field(z.enum(['\\ud83d']))", 'tool pay: input.a: a text in it has NUL or half a character'],
  ["tool({ input: z.object({ a: z.string().describe(' ') }) })", 'tool pay: input.a: add .describe() for the model'],
  ["tool({ input: z.object({ a: 'text' }) })", 'tool pay: input.a: must be a schema of zod'],
  ['tool({ output: z.object({ a: z.array(z.set(z.string())) }) })', 'tool pay: output.a[]: Set cannot be represented'],
  ['tool({ output: z.date() })', 'tool pay: output: Date cannot be represented in JSON Schema: use a text, such as'],
  ['tool({ output: z.union([z.string(), z.bigint()]) })', 'tool pay: output|2: BigInt cannot be represented'],
  ['tool({ output: z.promise(z.string()) })', 'tool pay: output: z.promise() cannot be represented in JSON: use the'],
  ['agent({ output: z.object({ a: z.string().pipe(z.coerce.date()) }) })', 'agent clerk: output.a: Date cannot be'],
  // Texts that servers refuse.
  ["tool({ description: 'Pays \\ud83d.' })", 'tool pay: description: must be a text without NUL and half characters'],
  ["approval({ prompt: 'Pay\\0?' })", 'tool pay: approval.prompt: must be a text without NUL and half characters'],
  // Functions that are asked while a step is made.
  ['approval({ when: async () => false })', 'tool pay: approval.when: must not be async: its answer is needed at once'],
  ['approval({ kinds: async () => ({}) })', 'tool pay: approval.kinds: must not be async'],
  ['tool({ check: async () => undefined })', 'tool pay: check: must not be async'],
  ["tool({ afterUntrusted: async () => 'allow' })", 'tool pay: afterUntrusted: must not be async'],
  ["agent({ instructions: async () => 'Pay.' })", 'agent clerk: instructions: must not be async'],
  ['tool({ execute: function* () {} })', 'tool pay: execute: must be a function without a star'],
  // What other parts need.
  [
    "tool({ input: z.object({ cents: z.string().describe('x') }), approval: { when: () => true, prompt: 'Pay?', money: { cents: 'USD' } } })",
    'tool pay: approval.money.cents: must be a whole number of the',
  ],
  ["tool({ source: 'none', needs: { variables: ['TABLE_NAME'] } })", 'tool pay: needs: TABLE_NAME: Lambda or Vigil'],
  [
    "defineTool({ ...whole, effect: 'once', source: 'none', needs: { secrets: ['A_KEY'], optional: ['A_URL'] } })",
    'tool pay: needs.optional: A_URL: it is none of "secrets" and "variables"',
    `Type '"A_URL"' is not assignable to type '"A_KEY"'.`,
  ],
  ["tool({ source: 'none', needs: { secrets: ['A_KEY'], variables: ['A_KEY'] } })", 'tool pay: needs: A_KEY is'],
  [
    'tool({ retry: { maxAttempts: 1, intervalSeconds: 1, backoffRate: Number.POSITIVE_INFINITY, maxDelaySeconds: 9 } })',
    'tool pay: retry.backoffRate: must be a number from 1',
  ],
  [
    "defineTool({ ...calling, foreign: true, source: 'none', execute: async () => paid })",
    'tool pay: execute: a foreign tool has none: its own function has',
    "'execute' does not exist in type 'ForeignToolSpec<",
  ],
  ["agent({ handOffs: ['bank', 'bank'] })", 'agent clerk: handOffs: bank is listed twice'],
  ["agent({ delegates: ['bank', 'bank'] })", 'agent clerk: delegates: bank is listed twice'],
  ["agent({ model: { name: 'm', extra: { seed: 5n } } })", 'agent clerk: model.extra.seed: must be JSON'],
  // What Vigil sets is replaced by nothing.
  [
    "agent({ model: { name: 'm', extra: { tools: [{ type: 'web_search' }] } } })",
    'agent clerk: model.extra.tools: Vigil sets this field: leave it out, and use the agent’s "tools", which may be hosted ones',
  ],
  [
    "agent({ model: { name: 'm', effort: 'low', extra: { reasoning: { summary: 'auto' } } } })",
    'agent clerk: model.extra.reasoning: Vigil sets this field because of "effort": leave out one of the two',
  ],
  [
    "agent({ model: { name: 'm', extra: { text: {} } }, output: z.object({ a: z.string() }) })",
    'agent clerk: model.extra.text: Vigil sets this field because of "output"',
  ],
  [
    "agent({ model: { provider: claude, name: 'm', extra: { max_tokens: 5 } } })",
    'agent clerk: model.extra.max_tokens: Vigil sets this field: leave it out, and use "maxOutputTokens"',
  ],
  [
    "agent({ summaryModel: { name: 'm', extra: { stream: false } } })",
    'agent clerk: summaries: model.extra.stream: Vigil sets this field: leave it out',
  ],
  // Hosted tools.
  [
    "agent({ model: { provider: provider({}), name: 'm' }, tools: [pay, hosted.webSearch()] })",
    'agent clerk: tools: web_search: the provider "p" has no such hosted tool, because its API is "chat"',
  ],
  ['agent({ tools: [hosted.webFetch()] })', "agent clerk: tools: web_fetch: the deployment's provider has no such"],
  [
    "agent({ model: { provider: claude, name: 'm' }, tools: [hosted.fileSearch({ vectorStores: ['vs_1'] })] })",
    'agent clerk: tools: file_search: the provider "claude" has no such hosted tool',
  ],
  ['agent({ tools: [hosted.webSearch({ maxUses: 3 })] })', `agent clerk: tools: web_search: maxUses: the`],
  ['agent({ tools: [hosted.webSearch(), hosted.webSearch()] })', 'agent clerk: tools: web_search is listed twice'],
  [
    "agent({ model: { provider: claude, name: 'm' }, tools: [tool({ name: 'code_execution' }), hosted.codeInterpreter()] })",
    'agent clerk: tools: code_execution: the hosted tool code_interpreter has this name: rename',
  ],
  ["agent({ tools: [{ kind: 'hosted', name: 'web_serch' }] })", 'agent clerk: tools: web_serch: the deployment'],
  [
    'hosted.webSearch({ alowedDomains: [] })',
    'hosted.webSearch: alowedDomains: there is no such field: did you',
    "'alowedDomains' does not exist in type 'WebSearch'. Did you mean",
  ],
  ["hosted.webSearch({ allowedDomains: ['https://a.example'] })", 'hosted.webSearch: allowedDomains[0]: must be a'],
  [
    "hosted.webFetch({ allowedDomains: ['a.example'], blockedDomains: ['b.example'] })",
    'hosted.webFetch: blockedDomains: leave it out beside allowedDomains',
  ],
  [
    'hosted.fileSearch({ maxResults: 3 })',
    'hosted.fileSearch: vectorStores: must be a list',
    "Property 'vectorStores' is missing in type",
  ],
  ['hosted.fileSearch({ vectorStores: [] })', 'hosted.fileSearch: vectorStores: is empty'],
  ["hosted.codeInterpreter({ memory: '2g' })", 'hosted.codeInterpreter: memory: must be "1g"'],
  ['registry(null)', 'registry: it needs a list of agents'],
  ["registry([agent({ tools: [tool({})] }), agent({ name: 'b' })])", 'tool pay: there are two with this'],
  // What a tool returns: without a timer or a condition, it would be another effect.
  ['effect({ timers: [] })', 'tableEffect: timers: there is no such field: did you mean "timer"?'],
  ["effect({ timer: { at: new Date(), text: 'x' } })", 'tableEffect: timer.kind: must be "once", "repeat" or "tool"'],
  ["effect({ timer: { kind: 'once', at: new Date() } })", 'tableEffect: timer.text: is missing: it must be a text'],
  ["effect({ timer: { kind: 'tool', at: new Date(), tool: 'pay' } })", 'tableEffect: timer.arguments: must be an'],
  ["repeated({ cron: '0 9 * * *', everySeconds: 60 })", 'tableEffect: timer.rule: must have either "cron"'],
  ['repeated({ everySeconds: 5 })', 'tableEffect: timer.rule.everySeconds: must be a whole number of at least 60'],
  ["effect({ timer: { kind: 'once', at: '9:00', text: 'x' } })", 'tableEffect: timer.at: must be a Date'],
  ["effect({ rows: [{ sk: 'A', put: {}, onlyif: 'absent' }] })", 'tableEffect: rows[0].onlyif: there is no such field'],
  ["effect({ messages: 'Paid.' })", 'tableEffect: messages: must be a list'],
  ["effect({ sources: ['internet'] })", 'tableEffect: sources[0]: must be "web", "member", "person", "system",'],
  ["tableEffect('paid')", 'tableEffect: must be an object'],
  // Providers and MCP servers.
  ["provider({ headers: { 'x a': 'b' } })", 'provider p: headers.x a: cannot be sent as a header'],
  ["mcp({ url: 'https://mcp.example' }, undefined)", 'mcp: the first argument must be the name of the'],
  ["provider({ apiKey: 'P_API_KEY' })", 'provider p: apiKey: there is no such field'],
  ["provider({ kind: 'bedrock' })", 'provider p: baseUrl: there is no such field'],
  [
    "defineProvider({ name: 'p', kind: 'anthropic', key: 'A_KEY', region: 'eu-central-1' })",
    'provider p: region: there is no such field',
    "'region' does not exist in type '",
  ],
  [
    "provider({ oauth: { tokenUrl: 'https://t.example', clientID: 'a', scope: 's' } })",
    'provider p: oauth.clientID: there is no such',
  ],
  ["provider({ outputLimit: 'max' })", 'provider p: outputLimit: must be "max_tokens" or "max_completion_tokens"'],
  ["provider({ headers: { 'x-a': 1 } })", 'provider p: headers.x-a: must be a text'],
  ['server({ allows: {} })', 'MCP server github: allows: there is no such field'],
  ["server({ allow: ['find'] })", 'MCP server github: allow: must be an object'],
  ["server({ allow: { find: { effect: 'reed' } } })", 'MCP server github: allow.find.effect: must be "read",'],
  ['server({ allow: { find: { aproval: {} } } })', 'MCP server github: allow.find.aproval: there is no such field'],
  ["server({ allow: { find: { approval: { aprovers: 'x' } } } })", 'tool github__find: approval.aprovers: there is'],
  ['server({ allow: { find: { elicitation: true } } })', 'MCP server github: allow.find.elicitation: must be "ask"'],
  ["server({ auth: { token: 'GITHUB_TOKEN' } })", 'MCP server github: auth.token: there is no such field'],
  ["server({ source: 'none' })", 'MCP server github: source: must be "web", "person"'],
  ['server({ pin: [] })', 'MCP server github: pin: must be what `vigil mcp pull` has written'],
  ["tool({ name: 'Look up' })", 'tool Look up: name: use snake_case, a letter first, at most 50 characters'],
  ["approval({ money: { dollars: 'USD' } })", 'tool pay: approval.money.dollars: the input has no such field'],
  ['tool({ timeoutSeconds: 901 })', 'tool pay: timeoutSeconds: must be a whole number from 1 to 900'],
  [
    'tool({ retry: { maxAttempts: 99, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 9 } })',
    'tool pay: retry.maxAttempts: must be a whole number from 0 to 20',
  ],
  [
    "defineTool({ ...whole, effect: 'table', isolated: true })",
    'tool pay: effect: an isolated tool writes no rows: use another effect',
    `Type '"table"' is not assignable to type '"`,
  ],
  ['tool({ isolated: true, webhook })', 'tool pay: webhook: an isolated tool cannot have one'],
  ["tool({ isolated: true, needs: { partitions: ['B#'] } })", 'tool pay: needs.partitions: an isolated tool reaches'],
  ['tool({ isolated: true, timeoutSeconds: 900 })', 'tool pay: timeoutSeconds: must be a whole number from 1 to 870'],
  ["tool({ needs: { partitions: ['*'] } })", 'tool pay: needs.partitions: *: use a prefix like "B#"'],
  ['approval({ excludesOwner: true })', 'tool pay: approval.excludesOwner: nobody could decide: name approvers'],
  ["approval({ approvers: 'owner', showsMessages: 1 })", 'tool pay: approval.showsMessages: the owner sees the whole'],
  ["approval({ approvers: { claim: 'a=b', value: 'c' } })", 'tool pay: approval.approvers.claim: use 1 to 128'],
  [
    "approval({ approvers: { claim: 'cognito:groups', value: '[finance]' } })",
    'tool pay: approval.approvers.claim: name a group instead: { group: "finance" }',
  ],
  ["approval({ approvers: { claim: 'role', value: '' } })", 'tool pay: approval.approvers.value: use 1 to 256'],
  ["approval({ approvers: { group: 'finance' }, showsMessages: 51 })", 'tool pay: approval.showsMessages: must be a'],
  ["agent({ name: 'My agent' })", 'agent My agent: name: use kebab-case, a letter first, at most 50 characters'],
  ['agent({ tools: [pay, pay] })', 'agent clerk: tools: pay is listed twice'],
  ['agent({ limits: { steps: 0 } })', 'agent clerk: limits.steps: must be a whole number of at least 1'],
  ["agent({ end: { phrase: ' ' } })", 'agent clerk: end.phrase: is empty'],
  ['registry([agent({}), agent({})])', 'agent clerk: there are two with this name'],
  // Models.
  ["agent({ model: { name: ' ' } })", 'agent clerk: model: has no name'],
  ["agent({ model: { name: 'm', maxOutputTokens: 1 } })", 'agent clerk: model.maxOutputTokens: must be a whole'],
  ["agent({ model: { name: 'm', temperature: 3 } })", 'agent clerk: model.temperature: must be a number from 0 to 2'],
  ["agent({ model: { name: 'm', temperature: 1, provider: claude } })", 'agent clerk: model.temperature: leave it'],
  ['agent({ model: [] })', 'agent clerk: model: is an empty list'],
  ["agent({ model: ['m', { name: 'm' }] })", 'agent clerk: model[1]: m is listed twice'],
  ["agent({ model: ['m', 7] })", 'agent clerk: model[1]: must be the name of a model, or an object with a name'],
  ["agent({ model: ['m', { name: 'n', effort: 'huge' }] })", 'agent clerk: model[1].effort: must be "none"'],
  ["agent({ model: ['a', 'b', 'c', 'd', 'e'] })", 'agent clerk: model: is a list of more than 4 models'],
  ["agent({ contextTokens: 500_000, model: ['m', { name: 'gpt-5' }] })", 'agent clerk: contextTokens: gpt-5 has a'],
  // Providers.
  ["provider({ name: 'My Server' })", 'provider My Server: name: use kebab-case'],
  ["provider({ name: 'default' })", 'provider default: name: "default" is reserved for the provider of'],
  ["provider({ kind: 'claude' })", 'provider p: kind: must be "openai", "chat", "anthropic" or "bedrock"'],
  ["provider({ baseUrl: 'models.example' })", 'provider p: baseUrl: must be an http or https address'],
  ['provider({ baseUrl: undefined })', 'provider p: baseUrl: is missing'],
  ["provider({ key: 'sk-1234567890' })", 'provider p: key: must be the name of a variable'],
  ["provider({ oauth: { tokenUrl: 'https://t.example', clientId: 'c', scope: 's' } })", 'provider p: key: is missing'],
  [
    "provider({ key: 'A_CLIENT_SECRET', oauth: { tokenUrl: 't', clientId: 'c', scope: 's' } })",
    'provider p: oauth.tokenUrl: must be an http',
  ],
  ["provider({ kind: 'bedrock', baseUrl: undefined, region: 'Virginia' })", 'provider p: region: must be the name of'],
  ["provider({ kind: 'anthropic', baseUrl: 'https://m.example/v1' })", 'provider p: baseUrl: must not end in /v1'],
  // The construct, of which infra/props.test.ts shows what JavaScript says.
  ["new Vigil(new Stack(), 'A', { tools: ['./tools'] })", '', "Property 'agents' is missing in type"],
  [
    "new Vigil(new Stack(), 'A', { agents, tools: './tools' })",
    '',
    "Type 'string' is not assignable to type 'string[]'.",
  ],
  ["new Vigil(new Stack(), 'A', { agents, limits: { stepOfRun: 7 } })", '', "'stepOfRun' does not exist in type"],
  [
    "new Vigil(new Stack(), 'A', { agents, models: { titles: 'off' } })",
    '',
    "Type 'string' is not assignable to type 'boolean | undefined'.",
  ],
  // What the compiler alone can know.
  [
    'defineTool({ ...calling, execute: async () => ({ ok: 1 }) })',
    '',
    "Type 'Promise<{ ok: number; }>' is not assignable to type 'Promise<{ paid: boolean; }",
  ],
  [
    "defineGuard({ name: 'g', at: ['input'], check: () => ({ ask: 'Really?' }) })",
    '',
    "Type '{ ask: string; }' is not assignable to type '",
  ],
  [
    "defineTool({ ...calling, source: 'none', needs: { secrets: ['A_KEY'] }, execute: async (_, { secrets }) => ({ paid: !secrets.B_KEY }) })",
    '',
    `Property 'B_KEY' does not exist on type 'Values<"A_KEY", never>'. Did you mean 'A_KEY'?`,
  ],
  [
    "defineTool({ ...calling, source: 'none', needs: { secrets: ['A_KEY'], optional: ['A_KEY'] }, execute: async (_, { secrets }) => ({ paid: secrets.A_KEY.length > 0 }) })",
    '',
    "'secrets.A_KEY' is possibly 'undefined'.",
  ],
  [
    'defineTool({ ...calling, isolated: true, execute: async (_, { user }) => ({ paid: !user }) })',
    '',
    "Property 'user' does not exist on type 'IsolatedContext<",
  ],
  [
    "defineTool({ ...words, input, kind: 'wait', until: () => 5 })",
    '',
    "Type 'number' is not assignable to type 'Date'.",
  ],
  ['serveIsolated(pay)', '', "Argument of type 'FunctionTool<"],
  [
    'defineAgent({ ...clerk, tools: [serveTool(pay)] })',
    '',
    "Type '(event: unknown, context?: Context) => Promise<void>' is not assignable to type '",
  ],
  ["createClient({ url: 'https://api.example' })", '', "Property 'token' is missing in type"],
  [
    "createClient({ url: 'https://api.example', token: () => 'x', timeoutMS: 5 })",
    '',
    "'timeoutMS' does not exist in type 'ClientOptions'. Did you mean to write 'timeoutMs'?",
  ],
  [
    "client.start({ agent: 'clerk', txt: 'Pay Ada.' })",
    '',
    "'txt' does not exist in type 'StartConversation & WithFiles'. Did you mean to write 'text'?",
  ],
  [
    "startVigil({ varibles: { A_KEY: 'k' } })",
    '',
    "'varibles' does not exist in type 'VigilOptions'. Did you mean to write 'variables'?",
  ],
  ["story.fault({ function: 'Pay', kind: 'crsh' })", '', `Type '"crsh"' is not assignable to type`],
];

const known = { z, hosted, defineProvider, defineAgent, registry, tableEffect, defineTool, mcp };

/** Returns a function that runs code behind the surroundings. */
function running(code: string): () => unknown {
  const plain = surroundings.replace(' as const', '');
  const whole = `${plain}${forJavaScript}return () => { ${code}; };`;
  return new Function(...Object.keys(known), whole)(...Object.values(known));
}

test.each(mistakes.filter(([, javaScript]) => javaScript !== ''))(
  '%s stops the build in one line, with the field (R96, R134, R193)',
  (code, javaScript) => {
    const mistake = running(code);
    let said: Error | undefined;
    try {
      mistake();
    } catch (error) {
      said = error as Error;
    }
    expect(said).toMatchObject({ name: 'ConfigurationError', message: expect.not.stringMatching(/\n/) });
    expect(said!.message.slice(0, javaScript.length)).toBe(javaScript);
  },
);

test('what JSON has works in schemas: recursion, unions in lists, codecs, and what holds no value (R193)', () => {
  const works = (schema: string) => expect(running(schema)).not.toThrow();
  const tree = 'const tree = z.lazy(() => z.object({ name: z.string(), inner: z.array(tree) }));';
  for (const schema of [
    'tree',
    "z.array(z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]))",
    "z.record(z.enum(['a', 'b']), z.string())",
    "z.templateLiteral(['a-', z.number()])",
    'z.iso.datetime().transform((at) => new Date(at))',
    'z.array(z.string()).readonly()',
    'z.string().brand()',
    'z.string().transform(Number).default(5)',
  ])
    works(`${tree} field(${schema})`);
  for (const output of ['tree', 'z.void()', 'z.unknown()', 'z.tuple([z.string()])', 'z.string().transform((a) => [a])'])
    works(`${tree} tool({ output: ${output} })`);
});

test('a field that is undefined is one that is left out (R193)', () => {
  expect(running('tool({ approval: undefined, retrys: undefined })')).not.toThrow();
  expect(running('agent({ output: undefined, limits: { steps: 3, tokens: undefined } })')).not.toThrow();
});

describe('what the compiler says', () => {
  const root = join(__dirname, '..');
  const folder = join(root, '.vigil/mistakes');
  const compiled = mistakes.filter(([, , compiler]) => compiler !== undefined);
  /** What a program of 5.9 need not load, which takes it far longer than 7: the construct, with the CDK, and the local cloud. */
  const isLarge = (code: string) => /new Vigil|startVigil|story\./.test(code);
  const light = compiled.filter(([code]) => !isLarge(code));
  /** The compilers' messages, by the mistake; those about what surrounds the mistakes are in a list of their own. */
  type Messages = Map<string, string[]>;
  const elsewhere = 'what surrounds them';
  let old: Messages;
  let now: Messages;

  /** Writes a file of mistakes. Returns a function that notes a message by its line. */
  function written(name: string, before: string, all: typeof mistakes) {
    writeFileSync(join(folder, `${name}.ts`), `${before}${all.map(([code]) => `${code};`).join('\n')}\n`);
    const first = before.split('\n').length;
    const messages: Messages = new Map();
    const note = (line: number, message: string) => {
      const mistake = all[line - first]?.[0] ?? elsewhere;
      messages.set(mistake, [...(messages.get(mistake) ?? []), said(message)]);
    };
    return { messages, note };
  }

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    const typeRoots = [join(root, 'node_modules/@types')];
    const compilerOptions = { noUnusedLocals: false, types: ['node'], typeRoots };
    const config = { extends: '../../tsconfig.json', compilerOptions, files: ['mistakes.ts'], include: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    old = messagesOf59();
    now = messagesOf7();
  });

  /** The compiler of 5.9 without its command, which would replace that of 7. */
  function messagesOf59(): Messages {
    const { messages, note } = written('light', forTheCompiler, light);
    const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
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
    const file = join(folder, 'light.ts');
    const program = ts.createProgram([file], options, host);
    const source = program.getSourceFile(file)!;
    for (const { start = 0, messageText } of program.getSemanticDiagnostics(source)) {
      const { line } = source.getLineAndCharacterOfPosition(start);
      note(line + 1, ts.flattenDiagnosticMessageText(messageText, '\n'));
    }
    return messages;
  }

  function messagesOf7(): Messages {
    const { messages, note } = written('mistakes', `${largeForTheCompiler}${forTheCompiler}`, compiled);
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const args = [compiler, '-p', folder, '--pretty', 'false'];
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    for (const [, line, message] of stdout.matchAll(/^\S*mistakes\.ts\((\d+),\d+\): error TS\d+: (.*(?:\n .*)*)/gm))
      note(Number(line), message!);
    return messages;
  }

  /** Returns the first line of a message, or the second if the first only quotes the argument. */
  function said(message: string): string {
    const [first = '', second] = message.split('\n');
    return second && /^Argument of type '\{/.test(first) ? second.trim() : first;
  }

  test.each(compiled)('%s: the message names it (R246)', (code, _javaScript, compiler) => {
    for (const messages of isLarge(code) ? [now] : [old, now])
      expect((messages.get(code) ?? ['There is no mistake.'])[0]).toContain(compiler);
  });

  test('what surrounds the mistakes has none (R246)', () => {
    for (const messages of [old, now]) expect(messages.get(elsewhere) ?? []).toEqual([]);
  });
});
