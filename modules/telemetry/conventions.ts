/**
 * The names by OpenTelemetry's conventions for generative AI, in one place. All of them are in development there, so they change by version:
 * read the changelog of that repository before you raise it.
 *
 * Spans and their attributes: https://github.com/open-telemetry/semantic-conventions-genai, v0.1.0 (on semantic conventions 1.45): its pages
 * `client-inference`, `gen-ai-agent-spans`, `execute-tool` and `mcp`.
 */
export const conventions = { version: '0.1.0', of: 'semantic-conventions-genai' } as const;

/** The instrumentation scope of all spans. */
export const scope = { name: 'vigil', version: conventions.version } as const;

export const operations = { chat: 'chat', tool: 'execute_tool', agent: 'invoke_agent' } as const;

export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  maxTokens: 'gen_ai.request.max_tokens',
  temperature: 'gen_ai.request.temperature',
  effort: 'gen_ai.request.reasoning.level',
  stream: 'gen_ai.request.stream',
  finishReasons: 'gen_ai.response.finish_reasons',
  outputType: 'gen_ai.output.type',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_write.input_tokens',
  reasoning: 'gen_ai.usage.reasoning.output_tokens',
  conversation: 'gen_ai.conversation.id',
  compacted: 'gen_ai.conversation.compacted',
  agentName: 'gen_ai.agent.name',
  agentVersion: 'gen_ai.agent.version',
  agentDescription: 'gen_ai.agent.description',
  toolName: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  toolDescription: 'gen_ai.tool.description',
  toolCallId: 'gen_ai.tool.call.id',
  /** Only where the deployment turns content on. */
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  toolArguments: 'gen_ai.tool.call.arguments',
  toolResult: 'gen_ai.tool.call.result',
  errorType: 'error.type',
  mcpMethod: 'mcp.method.name',
  transport: 'network.transport',
  protocol: 'network.protocol.name',
  serverAddress: 'server.address',
  serverPort: 'server.port',
} as const;

/** What the conventions have no name for. Langfuse and others read `gen_ai.usage.cost`, in dollars. */
export const ownNames = {
  cost: 'gen_ai.usage.cost',
  run: 'vigil.run.id',
  segment: 'vigil.segment',
  step: 'vigil.step',
  attempt: 'vigil.attempt',
  attempts: 'vigil.attempts',
  call: 'vigil.call.id',
  status: 'vigil.status',
  /** Seconds from the call to the beginning of its work: a person's decision, or capacity. */
  waited: 'vigil.waited',
  background: 'vigil.background',
  /** The true beginning of a span that begins later, with the scope `segment`. */
  startedAt: 'vigil.started_at',
} as const;

/** The types of errors of Vigil, besides HTTP statuses of models' servers. */
export const errorTypes = { other: '_OTHER', unknown: 'unknown', limited: 'limited', failed: 'failed' } as const;

/** The well-known names of providers that differ from Vigil's names of them. */
const providersByName: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  moonshot: 'moonshot_ai',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  watsonx: 'ibm.watsonx.ai',
};
const providersByKind: Readonly<Record<string, string>> = { anthropic: 'anthropic', bedrock: 'aws.bedrock' };

/**
 * Returns the name of a provider by the conventions.
 *
 * @param provider undefined for the deployment's own: OpenAI, or a server that speaks its API.
 */
export const providerName = (provider: { kind: string; name: string } | undefined): string =>
  provider ? (providersByKind[provider.kind] ?? providersByName[provider.name] ?? provider.name) : 'openai';
