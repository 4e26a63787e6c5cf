import * as z from 'zod';
import { hosted } from '../../base/models/hosted';
import { defineProvider } from '../../base/models/provider';
import { mcp } from '../mcp/server';
import { defineAgent } from './agent';
import { registry } from './registry';
import { tableEffect } from './table-effect';
import { defineTool } from './tool';

// Authors write plain JavaScript, too, and the compiler does not run everywhere. So nothing here has a type.
// biome-ignore lint/suspicious/noExplicitAny: the mistakes are those that types would find.
type Any = any;
const tool = (more: object, less: string[] = []): (() => unknown) => {
  const whole: Any = {
    ...{
      name: 'pay',
      description: 'Pays.',
      input: z.object({ cents: z.int().describe('How much') }),
      output: z.string(),
    },
    ...{ effect: 'once', execute: async () => 'paid', ...more },
  };
  for (const field of less) delete whole[field];
  return () => defineTool(whole);
};
const approval = (more: object) => tool({ approval: { when: () => true, prompt: 'Pay?', ...more } });
const field = (schema: z.ZodType) => () => tool({ input: z.object({ a: schema.describe('x') }) })();
const endless: z.ZodType = z.lazy(() => endless);
const webhook = { delivers: 'result', expiresInSeconds: 60, fallback: 'Nothing came.' };
const pay: Any = tool({})();
const agentSpec: Any = { name: 'clerk', purpose: 'Pays.', instructions: 'Pay.', model: 'm', tools: [pay] };
const agent = (more: object, less: string[] = []): (() => unknown) => {
  const whole = { ...agentSpec, ...more };
  for (const field of less) delete whole[field];
  return () => defineAgent(whole);
};
const provider = (more: object) => () =>
  defineProvider({ name: 'p', kind: 'chat', baseUrl: 'https://m.example', ...more } as Any);
const claude = defineProvider({ name: 'claude', kind: 'anthropic' });
const bedrock = defineProvider({ name: 'bedrock', kind: 'bedrock' });
const effect = (more: object) => () => tableEffect({ output: 1, ...more } as Any);
const repeated = (rule: object) => effect({ timer: { kind: 'repeat', at: new Date(), text: 'x', rule } });
const server = (more: object) => () => {
  const pin = { tools: [{ name: 'find', inputSchema: { type: 'object' } }] };
  return mcp('github', { url: 'https://mcp.example', pin, allow: { '*': {} }, ...more } as Any).tools();
};

test.each<[() => unknown, string]>([
  // The effect decides whether an attempt is repeated.
  [tool({ effect: 'onec' }), 'tool pay: effect: must be "read", "table", "idempotent" or "once"'],
  [tool({}, ['effect']), 'tool pay: effect: is missing: it must be "read", "table", "idempotent" or "once"'],
  [tool({ effect: 'Once' }), 'tool pay: effect: must be'],
  [tool({ effect: null }), 'tool pay: effect: must be'],
  [tool({ effect: true }), 'tool pay: effect: must be'],
  // Who decides.
  [
    approval({ aprovers: { group: 'finance' } }),
    'tool pay: approval.aprovers: there is no such field: did you mean "approvers"?',
  ],
  [
    tool({ aproval: { when: () => true, prompt: 'Pay?' } }),
    'tool pay: aproval: there is no such field: did you mean "approval"?',
  ],
  [approval({ approvers: 'finance' }), 'tool pay: approval.approvers: must be "owner"'],
  [
    approval({ approvers: { groups: ['finance'] } }),
    'tool pay: approval.approvers.groups: there is no such field: did you mean "group"?',
  ],
  [
    approval({ approvers: { group: 'finance', claim: 'role', value: 'x' } }),
    'tool pay: approval.approvers.group: there is no such',
  ],
  [approval({ approvers: { claim: 'role' } }), 'tool pay: approval.approvers.value: is missing: it must be a text'],
  [approval({ approvers: ['finance'] }), 'tool pay: approval.approvers[0]: must be an object'],
  [
    approval({ approvers: [{ by: { group: 'finance' }, counts: 2 }] }),
    'tool pay: approval.approvers[0].counts: there is no such field: did you mean "count"?',
  ],
  [approval({ approvers: [{ group: 'finance' }] }), 'tool pay: approval.approvers[0].group: there is no such field'],
  [approval({ approvers: [] }), 'tool pay: approval.approvers: name 1 to 5 steps'],
  [
    approval({ approvers: [{ by: { group: 'finance' }, count: 0 }] }),
    'tool pay: approval.approvers[0].count: must be a whole number from 1 to 10',
  ],
  [
    approval({ approvers: [{ by: { group: 'a b' } }] }),
    'tool pay: approval.approvers[0].by.group: use 1 to 128 characters without spaces',
  ],
  [
    approval({ approvers: [{ by: 'owner', count: 2 }, { by: { group: 'a' } }] }),
    'tool pay: approval.approvers[0].count: a conversation has one owner: leave it out',
  ],
  [
    approval({ approvers: [{ by: 'owner' }, { by: { group: 'a' } }], excludesOwner: true }),
    "tool pay: approval.excludesOwner: a step is the owner's: nobody could decide it",
  ],
  [approval({ approvers: [{ by: 'owner' }, { by: 'owner' }] }), 'tool pay: approval.approvers: the owner decides once'],
  [
    approval({ approvers: [{ by: 'owner', escalation: { afterSeconds: 60, to: { group: 'a' } } }] }),
    "tool pay: approval.approvers[0].escalation: the owner's step cannot escalate",
  ],
  [
    approval({ approvers: [{ by: { group: 'a' }, escalation: { afterSeconds: 1, to: { group: 'b' } } }] }),
    'tool pay: approval.approvers[0].escalation.afterSeconds: must be a whole number from 60 to',
  ],
  [
    approval({ approvers: [{ by: { group: 'a' }, escalation: { afterSeconds: 60, to: 'owner' } }] }),
    'tool pay: approval.approvers[0].escalation.to: name a group or a claim',
  ],
  [
    approval({ reminders: { everySeconds: 1 } }),
    'tool pay: approval.reminders.everySeconds: must be a whole number from 60 to',
  ],
  [approval({ when: true }), 'tool pay: approval.when: must be a function'],
  [approval({ when: undefined }), 'tool pay: approval.when: is missing: it must be a function'],
  [approval({ prompt: undefined }), 'tool pay: approval.prompt: is missing: it must be a text'],
  [approval({ excludesOwner: 'yes' }), 'tool pay: approval.excludesOwner: must be true'],
  [
    approval({ expiresInSecond: 60 }),
    'tool pay: approval.expiresInSecond: there is no such field: did you mean "expiresInSeconds"?',
  ],
  [approval({ expiresInSeconds: '60' }), 'tool pay: approval.expiresInSeconds: must be a number'],
  [approval({ kinds: { cents: 'money' } }), 'tool pay: approval.kinds: must be a function'],
  [approval({ money: { cents: 100 } }), 'tool pay: approval.money.cents: must be a text'],
  [tool({ approval: true }), 'tool pay: approval: must be an object'],
  // Functions.
  [tool({}, ['execute']), 'tool pay: execute: is missing: it must be a function'],
  [tool({ execute: 'pay' }), 'tool pay: execute: must be a function'],
  [tool({ exceute: async () => 'x' }), 'tool pay: exceute: there is no such field: did you mean "execute"?'],
  [tool({ compensates: true }), 'tool pay: compensates: only a foreign tool has it: write "compensate"'],
  [
    tool({ foreign: true, source: 'none', compensates: 'yes' }, ['execute']),
    'tool pay: compensates: must be true or false',
  ],
  [
    tool({ foreign: true, source: 'none', needs: { secrets: ['A_KEY'] } }, ['execute']),
    'tool pay: needs: a foreign tool has none: its own function has',
  ],
  [tool({ compensate: true }), 'tool pay: compensate: must be a function'],
  [tool({ check: 'positive' }), 'tool pay: check: must be a function'],
  [tool({ afterUntrusted: 'refuse' }), 'tool pay: afterUntrusted: must be a function'],
  [tool({ verify: 'find' }), 'tool pay: verify: must be what defineTool returns'],
  // Schemas.
  [tool({ input: { cents: z.int() } }), 'tool pay: input: must be a z.object(…)'],
  [tool({}, ['input']), 'tool pay: input: is missing: it must be a z.object(…)'],
  [tool({}, ['output']), 'tool pay: output: is missing: it must be a schema of zod'],
  [tool({ output: 'text' }), 'tool pay: output: must be a schema of zod'],
  [tool({ strict: 'no' }), 'tool pay: strict: must be false'],
  // Names and words.
  [tool({}, ['name']), 'tool without a name: name: is missing: it must be a text'],
  [tool({}, ['description']), 'tool pay: description: is missing: it must be a text'],
  [tool({ desciption: 'Pays.' }), 'tool pay: desciption: there is no such field: did you mean "description"?'],
  [tool({ kind: 'hand-off', to: 'bank' }), 'tool pay: kind: must be "function", "wait" or "callback"'],
  [tool({ kind: 'functions' }), 'tool pay: kind: must be "function", "wait" or "callback"'],
  [tool({ kind: 'wait' }), 'tool pay: output: there is no such field'],
  [() => defineTool({ ...(pay as Any), kind: 'callback', output: undefined, effect: undefined } as Any), 'tool pay: '],
  [() => defineTool(undefined as Any), 'defineTool: it needs an object'],
  // Attempts.
  [tool({ retries: 3 }), 'tool pay: retries: there is no such field'],
  [tool({ retry: 3 }), 'tool pay: retry: must be an object'],
  [
    tool({ retry: { maxAttempt: 3 } }),
    'tool pay: retry.maxAttempt: there is no such field: did you mean "maxAttempts"?',
  ],
  [tool({ retry: { maxAttempts: 3 } }), 'tool pay: retry.intervalSeconds: is missing: it must be a number'],
  [tool({ timeout: 30 }), 'tool pay: timeout: there is no such field'],
  [tool({ timeoutSeconds: '30' }), 'tool pay: timeoutSeconds: must be a number'],
  [tool({ isolated: 'yes' }), 'tool pay: isolated: must be true'],
  [tool({ isolated: false }), 'tool pay: isolated: must be true'],
  // What it reaches, and whose words it brings.
  [tool({ need: { secrets: {} } }), 'tool pay: need: there is no such field: did you mean "needs"?'],
  [
    tool({ needs: { secret: { A_KEY: 'a' } } }),
    'tool pay: needs.secret: there is no such field: did you mean "secrets"?',
  ],
  [tool({ needs: { secrets: { A_KEY: 'The key' } } }), 'tool pay: needs.secrets: must be a list'],
  [tool({ needs: { variables: 'A_URL' } }), 'tool pay: needs.variables: must be a list'],
  [tool({ needs: { secrets: ['A_KEY'] } }), 'tool pay: source: is missing: it needs A_KEY, so say where'],
  [tool({ needs: { variables: ['CRM_URL'] } }), 'tool pay: source: is missing: it needs CRM_URL'],
  [tool({ foreign: true }, ['execute']), 'tool pay: source: is missing: it is foreign'],
  [tool({ source: 'internet' }), 'tool pay: source: must be "web", "person", "system", "file", "unknown" or "none"'],
  [tool({ webhook: { ...webhook, delivers: 'results' } }), 'tool pay: webhook.delivers: must be "result" or "message"'],
  [tool({ webhook: { delivers: 'result' } }), 'tool pay: webhook.expiresInSeconds: is missing: it must be a number'],
  [tool({ webhok: webhook }), 'tool pay: webhok: there is no such field: did you mean "webhook"?'],
  // Agents.
  [agent({ instruction: 'Pay.' }), 'agent clerk: instruction: there is no such field: did you mean "instructions"?'],
  [agent({}, ['instructions']), 'agent clerk: instructions: is missing: it must be a function'],
  [agent({}, ['name']), 'agent without a name: name: is missing: it must be a text'],
  [agent({}, ['tools']), 'agent clerk: tools: must be a list'],
  [agent({ tools: pay }), 'agent clerk: tools: must be a list'],
  [agent({ tools: ['pay'] }), 'agent clerk: tools[0]: must be what defineTool or a function of hosted returns'],
  [agent({ tools: [undefined] }), 'agent clerk: tools[0]: must be what defineTool or a function of hosted returns'],
  [agent({ tools: [{ ...(pay as Any), kind: undefined }] }), 'must be "function", "wait" or "callback"'],
  [agent({ tools: [{ ...(pay as Any), effect: 'onec' }] }), 'tool pay: effect: must be'],
  [agent({ limit: { steps: 3 } }), 'agent clerk: limit: there is no such field: did you mean "limits"?'],
  [agent({ limits: { step: 3 } }), 'agent clerk: limits.step: there is no such field: did you mean "steps"?'],
  [agent({ limits: { costDollars: 3 } }), 'agent clerk: limits.costDollars: there is no such field'],
  [agent({ limits: { seconds: '60' } }), 'agent clerk: limits.seconds: must be a number'],
  [agent({ onMessage: 'wait' }), 'agent clerk: onMessage: must be "merge", "interrupt", "queue" or "reject"'],
  [agent({ reviews: () => new Map() }), 'agent clerk: reviews: there is no such field: did you mean "review"?'],
  [agent({ review: true }), 'agent clerk: review: must be a function'],
  [agent({ handoffs: ['bank'] }), 'agent clerk: handoffs: there is no such field: did you mean "handOffs"?'],
  [agent({ handOffs: 'bank' }), 'agent clerk: handOffs: must be a list'],
  [agent({ delegates: [{ name: 'bank' }] }), 'agent clerk: delegates[0]: must be a text'],
  [agent({ output: { city: z.string() } }), 'agent clerk: output: must be a z.object(…)'],
  [
    agent({ output: z.object({ a: z.record(z.string(), z.string()) }) }),
    'agent clerk: output.a: a record has no named fields',
  ],
  [agent({ end: 'DONE' }), 'agent clerk: end: must be an object'],
  [agent({ recall: 'yes' }), 'agent clerk: recall: must be true or false'],
  [agent({ examples: 'Pay Ada.' }), 'agent clerk: examples: must be a list'],
  [agent({ holdFailedDays: '7' }), 'agent clerk: holdFailedDays: must be a number'],
  [agent({ model: { model: 'gpt' } }), 'agent clerk: model.model: there is no such field'],
  [agent({ model: { name: 'm', effort: 'hihg' } }), 'agent clerk: model.effort: must be "none"'],
  [agent({ model: { name: 'm', takes: ['video'] } }), 'agent clerk: model.takes[0]: must be "image" or "pdf"'],
  [agent({ model: { name: 'm', maxTokens: 99 } }), 'agent clerk: model.maxTokens: there is no such field'],
  [
    agent({ model: { name: 'm', provider: 'deepseek' } }),
    'agent clerk: model.provider.kind: must be "openai", "chat", "anthropic" or "bedrock"',
  ],
  [() => defineAgent(null as Any), 'agent without a name: must be an object'],
  [() => registry([{ ...agentSpec }]), "agent clerk: an agent's file exports agents only"],
  [() => registry(['agent' as Any]), "an export that is a string: an agent's file exports agents only"],
  // Schemas: of what a model sends, and of what is kept.
  [field(z.lazy(() => undefined as Any)), 'tool pay: input: its schema cannot be read: Cannot read'],
  [field(endless), 'tool pay: input.a: it has nothing but itself'],
  [field(z.literal(Number.NaN)), 'tool pay: input.a: a fixed value must be'],
  [field((z.string() as Any).default(5)), 'tool pay: input.a: its default, 5, does not fit: Invalid input: expected'],
  [field(z.object({ b: z.int().min(5).default(1) })), 'tool pay: input.a.b: its default, 1, does not fit: Too small'],
  [field(z.string().prefault(5 as Any)), 'tool pay: input.a: its prefault, 5, does not fit'],
  [field(z.string().catch(5 as Any)), 'tool pay: input.a: its catch, 5, does not fit'],
  [
    field(
      z.string().default(() => {
        throw new Error('no default');
      }),
    ),
    'tool pay: input: its schema cannot be read: no default',
  ],
  [field(z.string().refine(async () => true)), 'tool pay: input.a: a refinement or a transform must not be async'],
  [field(z.string().transform(async (a) => a)), 'tool pay: input.a: a refinement or a transform must not be async'],
  [field(z.enum(['\ud83d'])), 'tool pay: input.a: a text in it has NUL or half a character'],
  [field(z.object({ b: z.string().describe('\ud83d') })), 'tool pay: input.a.b: a text in it has NUL or half a char'],
  [tool({ input: z.object({ a: z.string().describe(' ') }) }), 'tool pay: input.a: add .describe() for the model'],
  [tool({ input: z.object({ a: 'text' as Any }) }), 'tool pay: input.a: must be a schema of zod'],
  [tool({ input: z.object({ a: undefined as Any }) }), 'tool pay: input.a: must be a schema of zod'],
  [
    tool({ output: z.map(z.string(), z.string()) }),
    'tool pay: output: Map cannot be represented in JSON Schema: use a',
  ],
  [tool({ output: z.object({ a: z.array(z.set(z.string())) }) }), 'tool pay: output.a[]: Set cannot be represented in'],
  [
    tool({ output: z.date() }),
    'tool pay: output: Date cannot be represented in JSON Schema: use a text, such as z.iso',
  ],
  [tool({ output: z.union([z.string(), z.bigint()]) }), 'tool pay: output|2: BigInt cannot be represented'],
  [tool({ output: z.promise(z.string()) }), 'tool pay: output: z.promise() cannot be represented in JSON: use the'],
  [agent({ output: z.object({ a: z.string().pipe(z.coerce.date()) }) }), 'agent clerk: output.a: Date cannot be'],
  // Texts that servers refuse.
  [tool({ description: 'Pays \ud83d.' }), 'tool pay: description: must be a text without NUL and half characters'],
  [approval({ prompt: 'Pay\0?' }), 'tool pay: approval.prompt: must be a text without NUL and half characters'],
  [agent({ examples: ['Pay \ud83d'] }), 'agent clerk: examples[0]: must be a text without NUL'],
  // Functions that are asked while a step is made.
  [approval({ when: async () => false }), 'tool pay: approval.when: must not be async: its answer is needed at once'],
  [approval({ kinds: async () => ({}) }), 'tool pay: approval.kinds: must not be async'],
  [tool({ check: async () => undefined }), 'tool pay: check: must not be async'],
  [tool({ afterUntrusted: async () => 'allow' }), 'tool pay: afterUntrusted: must not be async'],
  [agent({ instructions: async () => 'Pay.' }), 'agent clerk: instructions: must not be async'],
  [tool({ execute: function* () {} }), 'tool pay: execute: must be a function without a star'],
  // What other parts need.
  [
    tool({
      input: z.object({ cents: z.string().describe('x') }),
      approval: { when: () => true, prompt: 'Pay?', money: { cents: 'USD' } },
    }),
    'tool pay: approval.money.cents: must be a whole number of the smallest unit: use z.int()',
  ],
  [
    tool({ source: 'none', needs: { variables: ['TABLE_NAME'] } }),
    'tool pay: needs: TABLE_NAME: Lambda or Vigil sets it',
  ],
  [
    tool({ source: 'none', needs: { secrets: ['A_KEY'], optional: ['A_URL'] } }),
    'tool pay: needs.optional: A_URL: it is none of "secrets" and "variables"',
  ],
  [
    tool({ source: 'none', needs: { secrets: ['A_KEY'], variables: ['A_KEY'] } }),
    'tool pay: needs: A_KEY is listed twice',
  ],
  [
    tool({ retry: { maxAttempts: 1, intervalSeconds: 1, backoffRate: Number.POSITIVE_INFINITY, maxDelaySeconds: 9 } }),
    'tool pay: retry.backoffRate: must be a number from 1 to 100',
  ],
  [tool({ foreign: true, source: 'none' }), 'tool pay: execute: a foreign tool has none: its own function has'],
  [agent({ handOffs: ['bank', 'bank'] }), 'agent clerk: handOffs: bank is listed twice'],
  [agent({ delegates: ['bank', 'bank'] }), 'agent clerk: delegates: bank is listed twice'],
  [agent({ model: { name: 'm', extra: { seed: 5n } } }), 'agent clerk: model.extra.seed: must be JSON'],
  // What Vigil sets is replaced by nothing.
  [
    agent({ model: { name: 'm', extra: { tools: [{ type: 'web_search' }] } } }),
    'agent clerk: model.extra.tools: Vigil sets this field: leave it out, and use the agent’s "tools", which may be hosted ones',
  ],
  [
    agent({ model: { name: 'm', effort: 'low', extra: { reasoning: { summary: 'auto' } } } }),
    'agent clerk: model.extra.reasoning: Vigil sets this field because of "effort": leave out one of the two',
  ],
  [
    agent({ model: { name: 'm', extra: { text: {} } }, output: z.object({ a: z.string() }) }),
    'agent clerk: model.extra.text: Vigil sets this field because of "output"',
  ],
  [
    agent({ model: { provider: claude, name: 'm', extra: { max_tokens: 5 } } }),
    'agent clerk: model.extra.max_tokens: Vigil sets this field: leave it out, and use "maxOutputTokens"',
  ],
  [
    agent({ summaryModel: { name: 'm', extra: { stream: false } } }),
    'agent clerk: summaries: model.extra.stream: Vigil sets this field: leave it out',
  ],
  // Hosted tools.
  [
    agent({ model: { provider: provider({})(), name: 'm' }, tools: [pay, hosted.webSearch()] }),
    'agent clerk: tools: web_search: the provider "p" has no such hosted tool, because its API is "chat"',
  ],
  [
    agent({ model: { provider: bedrock, name: 'm' }, tools: [hosted.codeInterpreter()] }),
    'agent clerk: tools: code_interpreter: the provider "bedrock" has no such hosted tool, because its API is "bedrock"',
  ],
  [
    agent({ tools: [hosted.webFetch()] }),
    'agent clerk: tools: web_fetch: the deployment\'s provider has no such hosted tool, because its API is "openai"',
  ],
  [
    agent({ model: { provider: claude, name: 'm' }, tools: [hosted.fileSearch({ vectorStores: ['vs_1'] })] }),
    'agent clerk: tools: file_search: the provider "claude" has no such hosted tool',
  ],
  [
    agent({ tools: [hosted.webSearch({ maxUses: 3 })] }),
    'agent clerk: tools: web_search: maxUses: the deployment\'s provider does not have this setting, because its API is "openai"',
  ],
  [agent({ tools: [hosted.webSearch(), hosted.webSearch()] }), 'agent clerk: tools: web_search is listed twice'],
  [
    agent({
      model: { provider: claude, name: 'm' },
      tools: [tool({ name: 'code_execution' })(), hosted.codeInterpreter()],
    }),
    'agent clerk: tools: code_execution: the hosted tool code_interpreter has this name: rename your tool',
  ],
  [agent({ tools: [{ kind: 'hosted', name: 'web_serch' }] }), 'agent clerk: tools: web_serch: the deployment'],
  [
    () => hosted.webSearch({ alowedDomains: [] } as Any),
    'hosted.webSearch: alowedDomains: there is no such field: did you',
  ],
  [
    () => hosted.webSearch({ allowedDomains: ['https://a.example'] }),
    'hosted.webSearch: allowedDomains[0]: must be a domain',
  ],
  [
    () => hosted.webFetch({ allowedDomains: ['a.example'], blockedDomains: ['b.example'] }),
    'hosted.webFetch: blockedDomains: leave it out beside allowedDomains',
  ],
  [() => hosted.fileSearch({} as Any), 'hosted.fileSearch: vectorStores: must be a list'],
  [() => hosted.fileSearch({ vectorStores: [] }), 'hosted.fileSearch: vectorStores: is empty'],
  [() => hosted.codeInterpreter({ memory: '2g' } as Any), 'hosted.codeInterpreter: memory: must be "1g"'],
  [() => registry(null as Any), 'registry: it needs a list of agents'],
  [() => registry([agent({})(), agent({})()] as Any), 'agent clerk: there are two with this name'],
  [
    () => registry([agent({ tools: [tool({})()] })(), agent({ name: 'b' })()] as Any),
    'tool pay: there are two with this',
  ],
  [() => defineTool([] as Any), 'defineTool: it needs an object'],
  // What a tool returns: without a timer or a condition, it would be another effect.
  [effect({ timers: [] }), 'tableEffect: timers: there is no such field: did you mean "timer"?'],
  [effect({ timer: { at: new Date(), text: 'x' } }), 'tableEffect: timer.kind: must be "once", "repeat" or "tool"'],
  [effect({ timer: { kind: 'once', at: new Date() } }), 'tableEffect: timer.text: is missing: it must be a text'],
  [effect({ timer: { kind: 'tool', at: new Date(), tool: 'pay' } }), 'tableEffect: timer.arguments: must be an object'],
  [repeated({}), 'tableEffect: timer.rule: must have either "cron" or "everySeconds"'],
  [repeated({ cron: '0 9 * * *', everySeconds: 60 }), 'tableEffect: timer.rule: must have either "cron"'],
  [repeated({ everySeconds: 5 }), 'tableEffect: timer.rule.everySeconds: must be a whole number of at least 60'],
  [effect({ timer: { kind: 'once', at: '9:00', text: 'x' } }), 'tableEffect: timer.at: must be a Date'],
  [
    effect({ rows: [{ sk: 'A', put: {}, onlyif: 'absent' }] }),
    'tableEffect: rows[0].onlyif: there is no such field: did you mean "onlyIf"?',
  ],
  [effect({ messages: 'Paid.' }), 'tableEffect: messages: must be a list'],
  [
    effect({ sources: ['internet'] }),
    'tableEffect: sources[0]: must be "web", "member", "person", "system", "file" or "unknown"',
  ],
  [() => tableEffect('paid' as Any), 'tableEffect: must be an object'],
  // Providers and MCP servers.
  [provider({ headers: { 'x a': 'b' } }), 'provider p: headers.x a: cannot be sent as a header'],
  [
    () => mcp({ url: 'https://mcp.example' } as Any, undefined as Any),
    'mcp: the first argument must be the name of the',
  ],
  [provider({ apiKey: 'P_API_KEY' }), 'provider p: apiKey: there is no such field'],
  [provider({ url: 'https://m.example' }), 'provider p: url: there is no such field'],
  [provider({ kind: 'bedrock' }), 'provider p: baseUrl: there is no such field'],
  [provider({ kind: 'anthropic', query: {} }), 'provider p: query: there is no such field'],
  [
    provider({ oauth: { tokenUrl: 'https://t.example', clientID: 'a', scope: 's' } }),
    'provider p: oauth.clientID: there is no such',
  ],
  [provider({ outputLimit: 'max' }), 'provider p: outputLimit: must be "max_tokens" or "max_completion_tokens"'],
  [provider({ headers: { 'x-a': 1 } }), 'provider p: headers.x-a: must be a text'],
  [server({ allows: {} }), 'MCP server github: allows: there is no such field: did you mean "allow"?'],
  [server({ allow: ['find'] }), 'MCP server github: allow: must be an object'],
  [
    server({ allow: { find: { effect: 'reed' } } }),
    'MCP server github: allow.find.effect: must be "read", "idempotent"',
  ],
  [
    server({ allow: { find: { aproval: {} } } }),
    'MCP server github: allow.find.aproval: there is no such field: did you mean "approval"?',
  ],
  [
    server({ allow: { find: { approval: { aprovers: 'x' } } } }),
    'tool github__find: approval.aprovers: there is no such field',
  ],
  [server({ allow: { find: { elicitation: true } } }), 'MCP server github: allow.find.elicitation: must be "ask"'],
  [server({ auth: { token: 'GITHUB_TOKEN' } }), 'MCP server github: auth.token: there is no such field'],
  [server({ source: 'none' }), 'MCP server github: source: must be "web", "person"'],
  [server({ pin: [] }), 'MCP server github: pin: must be what `vigil mcp pull` has written'],
])('a mistake that types would find stops the build in one line, with the field: %# (R193)', (define, message) => {
  expect(define).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  expect(define).toThrow(message);
  expect(define).not.toThrow(/\n/);
});

test('what JSON has works in schemas: recursion, unions in lists, codecs, and what holds no value (R193)', () => {
  const tree: z.ZodType = z.lazy(() => z.object({ name: z.string(), inner: z.array(tree) }));
  const kinds = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);
  for (const schema of [
    tree,
    z.array(kinds),
    z.record(z.enum(['a', 'b']), z.string()),
    z.templateLiteral(['a-', z.number()]),
    z.iso.datetime().transform((at) => new Date(at)),
    z.array(z.string()).readonly(),
    z.string().brand<'Iban'>(),
    z.string().transform(Number).default(5),
  ])
    expect(field(schema)).not.toThrow();
  for (const output of [tree, z.void(), z.unknown(), z.tuple([z.string()]), z.string().transform((text) => ({ text }))])
    expect(tool({ output })).not.toThrow();
});

test('a field that is undefined is one that is left out (R193)', () => {
  expect(tool({ approval: undefined, retrys: undefined })).not.toThrow();
  expect(agent({ output: undefined, limits: { steps: 3, tokens: undefined } })).not.toThrow();
});
