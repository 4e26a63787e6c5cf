import { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from '@modelcontextprotocol/client';
import type { ServerAnswer, ServerQuestion, ServerRound } from '../../core/base/state/isolated-call';
import { blankForm, contentOf } from '../../core/conversations/approvals/form';
import { inSession } from '../../modules/mcp/connection';
import { keyFor } from '../../modules/mcp/key';
import { listTools } from '../../modules/mcp/list-tools';
import type { PinnedTool } from '../../modules/mcp/pin';
import { pull } from '../../modules/mcp/pull';
import { serveMcp } from '../../modules/mcp/serve-mcp';
import { type McpToolSettings, mcp } from '../../modules/mcp/server';

// Vigil as a client of MCP's conformance suite, which starts it with the address of a server: it pulls what can be allowed, and calls each tool.

const url = process.argv.at(-1)!;
/** What the suite says besides the address. */
const context: { client_id?: string; client_secret?: string; toolCalls?: Call[] } = JSON.parse(
  process.env.MCP_CONFORMANCE_CONTEXT ?? '{}',
);

interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

const strict: McpToolSettings = { elicitation: 'ask' };
const loose: McpToolSettings = { ...strict, strict: false };
const most = AbortSignal.timeout(60_000);

async function main(): Promise<void> {
  const auth = await authOf();
  const declared = (allow: Record<string, McpToolSettings>, tools: readonly PinnedTool[] = []) =>
    mcp('suite', { url, auth, allow, pin: { tools } });
  const asking = declared({ '*': strict });
  const key = keyFor(asking, () => ({ get: async () => context.client_secret ?? 'secret', forget: () => undefined }));

  // The author of a declaration reads the names in the server's documentation, and leaves out what the pull refuses.
  const listed = await inSession(asking, { key, deadline: most }, listTools);
  const allow = Object.fromEntries(
    [...listed.values()].flatMap((tool) => {
      const fit = [strict, loose].find((one) => isAccepted(() => declared({ [tool.name]: one }, [tool]).tools()));
      return fit ? [[tool.name, fit]] : [];
    }),
  );
  if (Object.keys(allow).length === 0) return;
  const { tools } = await pull(declared(allow), key);
  const server = declared(allow, tools);
  const names = new Map([...server.pinned].map(([own, { name }]) => [name, own]));
  const handler = serveMcp(server, key);
  const calls = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool, tools) }));
  for (const [index, call] of calls.entries()) await play(handler, names.get(call.name)!, `call-${index}`, call);
}

/** Calls like RunIsolated: again with each answer of the user, and until a task is over. */
async function play(handler: ReturnType<typeof serveMcp>, tool: string, callId: string, call: Call): Promise<void> {
  const answers: ServerAnswer[] = [];
  let round: ServerRound | undefined;
  while (!most.aborted) {
    const now = new Date().toISOString();
    const request = { tool, input: call.arguments, callId, attempt: 1, now, answers, round };
    const answer = await handler(request);
    console.log(JSON.stringify({ tool, ...answer }));
    if ('asks' in answer) answers.push(answered(answer.asks));
    else if (!('works' in answer)) return;
    round = 'asks' in answer ? answer.round : answer.works.round;
  }
}

/** Sends the form as the page shows it, with what its fields have by default. */
function answered(question: ServerQuestion): ServerAnswer {
  const content = contentOf(question, blankForm(question).arguments);
  if (!('content' in content)) throw new Error(`The form needs ${content[0]}: ${content[1]}`);
  return { ...question, content: content.content as ServerAnswer['content'] };
}

/** Returns what a model could send. A tool that wants a schema gets the one of the other tool. */
function argumentsOf({ inputSchema }: PinnedTool, [other]: readonly PinnedTool[]): Call['arguments'] {
  const { properties = {}, required = [] } = inputSchema as {
    properties?: Record<string, { type?: string }>;
    required?: string[];
  };
  const samples: Record<string, unknown> = { object: other!.inputSchema, number: 5, integer: 5, boolean: true };
  return Object.fromEntries(required.map((name) => [name, samples[properties[name]?.type ?? ''] ?? 'Berlin']));
}

/** Who gives tokens, only the server's own documents say: there the author of a declaration reads it. The suite takes most clients. */
async function authOf() {
  if (!process.env.MCP_CONFORMANCE_SCENARIO?.startsWith('auth/')) return undefined;
  const { resourceMetadataUrl } = extractWWWAuthenticateParams(await fetch(url, { method: 'POST' }));
  const { authorization_servers } = await discoverOAuthProtectedResourceMetadata(url, { resourceMetadataUrl });
  const { client_id: clientId = 'vigil' } = context;
  return { oauth: { clientId, secret: 'SUITE_SECRET', issuer: authorization_servers![0]! } };
}

function isAccepted(declare: () => unknown): boolean {
  try {
    declare();
    return true;
  } catch {
    return false;
  }
}

main().catch((error: Error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
});
