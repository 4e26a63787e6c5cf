import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LambdaEvent } from 'hono/aws-lambda';
import { free } from '../../core/base/models/price-list';
import type { LoopInput } from '../../core/base/state/loop-state';
import { noUsage } from '../../core/base/state/schemas';
import { fileLimits } from '../../core/base/state/user-limits';
import { defineAgent } from '../../core/conversations/agent/agent';
import type { ModelRequest } from '../../core/conversations/agent/model';
import { registry } from '../../core/conversations/agent/registry';
import { conversationIn } from '../../core/conversations/rows/keys';
import { LogReader } from '../../core/conversations/runs/log';
import { readMeta } from '../../core/conversations/store/table';
import { advance } from '../../core/machines/loop/advance';
import { mcpApp } from '../../modules/mcp-server/app';
import { counts } from '../../runtime/limits';
import { memoryFileStore } from '../support/memory-file-store';
import { segmentOf } from '../support/segment-of';
import { startTable } from '../support/tables/table';

// Vigil as a server for MCP's conformance suite, on a real table. The suite calls tools of its own, with their arguments, and fills in its own
// forms. Here, an agent stands behind these tools: what the suite sends becomes words to it, and what Vigil answers stays as it is.

/** How long a call waits for the agent. What is over by then is a result, and the rest a task. */
const waitMs = 2_000;
const laterMs = waitMs + 500;
const end = 'THE END';

interface Said {
  /** Without the end, it is a question. Empty replies let the run fail. */
  text: string;
  afterMs?: number;
}
/** What the agent says: at first, and after each answer of its user. The last words are repeated. */
const tools: Record<string, (given: { name?: string; seconds?: number }, answer?: string) => Said[]> = {
  greet: ({ name }) => [{ text: `Hello, ${name}! ${end}` }],
  slow_compute: ({ seconds = 0 }) => [{ text: end, afterMs: seconds && laterMs + seconds * 1_000 }],
  failing_job: () => [{ text: '', afterMs: laterMs }, { text: '' }],
  test_simple_text: () => [{ text: end }],
  test_error_handling: () => [{ text: '' }],
  confirm_delete: () => [{ text: 'Delete it?', afterMs: laterMs }, { text: end }],
  test_tool_with_task: (_, name) => [{ text: 'Who are you?' }, { text: `Hello, ${name}! ${end}`, afterMs: laterMs }],
  test_input_required_result_elicitation: () => [{ text: 'Who are you?' }, { text: end }],
  test_input_required_result_request_state: () => [{ text: 'Really?' }, { text: end }],
  test_input_required_result_tampered_state: () => [{ text: 'Really?' }, { text: end }],
  test_input_required_result_multi_round: () => [{ text: 'Who are you?' }, { text: 'Which color?' }, { text: end }],
};

/** Returns what the suite sends as it would send it to the agent. */
function toAgent(body: string, headers: Record<string, string>): string {
  const { params, ...message } = JSON.parse(body);
  if (message.method === 'tools/call' && Object.hasOwn(tools, params?.name)) {
    params.arguments = { message: JSON.stringify({ ...params.arguments, tool: params.name }) };
    if (headers['mcp-name'] === params.name) headers['mcp-name'] = agent.name;
    params.name = agent.name;
  }
  // The agent's form has one field.
  for (const response of Object.values<{ content?: object }>(params?.inputResponses ?? {}))
    if (response?.content) response.content = { answer: JSON.stringify(response.content) };
  return JSON.stringify({ ...message, params });
}

const agent = defineAgent({
  name: 'agent',
  purpose: 'Stands behind the tools',
  examples: ['Begin'],
  instructions: 'Answer.',
  model: 'm',
  tools: [],
  end: { phrase: end },
});

const model = {
  about: () => ({ model: 'scripted', maker: 'scripted', price: free }),
  async reply({ items, signal }: ModelRequest) {
    const [first = '{}', ...answers] = items.flatMap((item) =>
      item.kind === 'message' && item.by === 'user' ? [item.text] : [],
    );
    const { tool, ...given } = JSON.parse(first);
    const said = tools[tool]!(given, answers[0]);
    const { text, afterMs = 0 } = said[Math.min(answers.length, said.length - 1)]!;
    await sleep(afterMs, undefined, { signal });
    return { text, toolCalls: [], usage: { ...noUsage, modelCalls: 1 } };
  },
};

async function main(): Promise<void> {
  const table = await startTable();
  const known = registry([agent]);
  const loop = { table, model, registry: known, now: () => new Date(), limits: {} };
  const deadline = new AbortController().signal;
  /** The conversations whose runs are at work. */
  const playing = new Set<string>();

  /** Makes steps until the agent asks, or is done. */
  async function play(first: LoopInput): Promise<void> {
    playing.add(first.conversationId);
    try {
      for (let input = first; ; ) {
        const output = await advance({ ...loop, logs: new LogReader(table), deadline }, input);
        if (output.next !== 'again') return;
        input = output;
      }
    } finally {
      playing.delete(first.conversationId);
    }
  }
  /** The conversations of which a run has begun. */
  const begun = new Set<string>();
  /** Begins runs, or continues them after an answer. */
  async function carryOut(): Promise<void> {
    for (const id of begun) {
      const meta = await readMeta(table, id);
      const segment = meta?.status === 'running' ? segmentOf(meta) : undefined;
      if (!segment || playing.has(id)) continue;
      play(segment.input).catch((error: Error) => {
        // So ends what was cancelled.
        if (error.name !== 'Superseded') console.error(error);
      });
    }
  }

  /** New for each request, as if each had another instance of the function. */
  const app = (url: string) =>
    mcpApp({
      table: { ...table, committed: ({ pk }) => void begun.add(conversationIn(pk)) },
      registry: known,
      carryOut,
      counts: () => ({ ...counts(), runs: 1_000 }),
      files: memoryFileStore(),
      fileLimits: () => fileLimits,
      waitMs,
      keptClaims: [],
      webOrigins: [url],
      discovery: { url, issuer: url, scopes: [] },
    });
  const server = createServer(async (request, response) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { 'content-length': _, ...headers } = request.headers as Record<string, string>;
    const body = await text(request);
    const claims = { token_use: 'access', client_id: 'client', sub: 'ada' };
    const event = { requestContext: { authorizer: { jwt: { claims } } } } as unknown as LambdaEvent;
    const sent = body && toAgent(body, headers);
    const init = { method: request.method!, headers, ...(body && { body: sent }) };
    const answer = await app(url).fetch(new Request(`${url}${request.url}`, init), { event });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
  process.once('SIGTERM', async () => {
    server.close();
    await table.stop();
    process.exit();
  });
}
void main();
