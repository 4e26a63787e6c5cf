import type {
  ContentBlock,
  ConverseStreamCommandInput,
  ConverseStreamOutput,
  Message,
  ReasoningContentBlock,
  TokenUsage,
  Tool,
} from '@aws-sdk/client-bedrock-runtime';
import type { Reply } from '../../core/agent/model';
import { modelTool } from '../../core/agent/model-tool';
import { instructionsOf } from '../../core/agent/typed-answer';
import type { Item } from '../../core/state/items';
import { noUsage, type Usage } from '../../core/state/schemas';
import { ModelRejected, ModelUnavailable } from '../../core/text/errors';
import type { Asking, Collected, Collector } from './api';

/**
 * Builds a request of Amazon Bedrock's Converse API, which is the same for all models. See
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export function requestOf({ agent, items }: Asking): ConverseStreamCommandInput {
  const { name: modelId, effort, maxOutputTokens, temperature, extra } = agent.model;
  const tools = agent.tools.length > 0 ? agent.tools.map(modelTool).map(toolOf) : toolsOf(items);
  return {
    modelId,
    system: [{ text: instructionsOf(agent) }],
    messages: messagesOf(items),
    ...(tools.length > 0 && { toolConfig: { tools } }),
    ...((maxOutputTokens !== undefined || temperature !== undefined) && {
      inferenceConfig: { maxTokens: maxOutputTokens, temperature },
    }),
    ...(effort && { outputConfig: { effort: effort as never } }),
    ...(extra && { additionalModelRequestFields: extra as never }),
  };
}

const toolOf = ({ name, description, parameters }: ReturnType<typeof modelTool>): Tool => ({
  toolSpec: { name, description, inputSchema: { json: parameters as never } },
});

/** The tools of another agent's calls, for an agent without tools: the API needs a definition of every tool in the messages. */
const toolsOf = (items: readonly Item[]): Tool[] =>
  [...new Set(items.flatMap((item) => (item.kind === 'call' ? item.tool : [])))].map((name) => ({
    toolSpec: { name, description: 'Not to be called.', inputSchema: { json: { type: 'object' } } },
  }));

/** A block of reasoning as JSON, with bytes in Base64. */
type Thought = { text: string; signature?: string } | { redacted: string };
interface ItsOwn {
  thoughts?: Thought[];
}

/** Merges consecutive items of one side into one message, because turns must alternate. */
function messagesOf(items: readonly Item[]): Message[] {
  const messages: (Message & { content: ContentBlock[] })[] = [];
  for (const item of items) {
    const content = blocksOf(item);
    const role = item.kind === 'call' || (item.kind === 'message' && item.by === 'assistant') ? 'assistant' : 'user';
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  // The first turn must be the user's.
  return messages[0]?.role === 'assistant' ? [{ role: 'user', content: [{ text: '…' }] }, ...messages] : messages;
}

function blocksOf(item: Item): ContentBlock[] {
  if (item.kind === 'result')
    return [
      { toolResult: { toolUseId: item.callId, content: [{ text: item.text.trim() ? item.text : '(nothing)' }] } },
    ];
  const thoughts = ((item.opaque ?? {}) as ItsOwn).thoughts?.map(thoughtBlock) ?? [];
  if (item.kind === 'call') {
    const input = JSON.parse(item.arguments) as never;
    return [...thoughts, { toolUse: { toolUseId: item.id, name: item.tool, input } }];
  }
  return item.text.trim() ? [...thoughts, { text: item.text }] : [];
}

const thoughtBlock = (thought: Thought): ContentBlock => ({
  reasoningContent: ('redacted' in thought
    ? { redactedContent: Buffer.from(thought.redacted, 'base64') }
    : { reasoningText: thought }) as ReasoningContentBlock,
});

const cutOff = ['max_tokens', 'model_context_window_exceeded'];
const refused = ['content_filtered', 'guardrail_intervened'];
const malformed = ['malformed_model_output', 'malformed_tool_use'];

export class ConverseReply implements Collector<ConverseStreamOutput> {
  private text = '';
  private readonly thoughts = new Map<number, { text: string; signature?: string; redacted?: Uint8Array[] }>();
  private readonly calls = new Map<number, { id: string; name: string; arguments: string }>();
  private readonly texts = new Set<number>();
  private stopReason?: string;
  private usage?: Usage;

  constructor(private readonly onText: (piece: string) => void) {}

  add({ contentBlockStart, contentBlockDelta, messageStop, metadata }: ConverseStreamOutput): void {
    if (contentBlockStart?.start?.toolUse) {
      const { toolUseId = '', name = '' } = contentBlockStart.start.toolUse;
      this.calls.set(contentBlockStart.contentBlockIndex ?? 0, { id: toolUseId, name, arguments: '' });
    }
    if (contentBlockDelta?.delta) this.addDelta(contentBlockDelta.contentBlockIndex ?? 0, contentBlockDelta.delta);
    if (messageStop) this.stopReason = messageStop.stopReason;
    if (metadata?.usage) this.usage = usageOf(metadata.usage);
  }

  private addDelta(index: number, { text, toolUse, reasoningContent }: Delta): void {
    if (text) {
      this.texts.add(index);
      this.text += text;
      this.onText(text);
    }
    const call = this.calls.get(index);
    if (toolUse && call) call.arguments += toolUse.input ?? '';
    if (!reasoningContent) return;
    const thought = this.thoughts.get(index) ?? { text: '' };
    this.thoughts.set(index, thought);
    thought.text += reasoningContent.text ?? '';
    if (reasoningContent.signature) thought.signature = `${thought.signature ?? ''}${reasoningContent.signature}`;
    if (reasoningContent.redactedContent)
      thought.redacted = [...(thought.redacted ?? []), reasoningContent.redactedContent];
  }

  finish(): Collected {
    const { stopReason } = this;
    if (!stopReason || malformed.includes(stopReason)) throw new ModelUnavailable("The model's answer broke off.");
    if (refused.includes(stopReason)) throw new ModelRejected('The model refused the content.');
    return {
      text: this.text,
      ...this.parts(),
      usage: this.usage,
      ...(cutOff.includes(stopReason) && { cutOff: stopReason }),
    };
  }

  /** Attaches each block of reasoning to the text or call that follows it. */
  private parts(): Pick<Reply, 'toolCalls' | 'opaque'> {
    const toolCalls: Reply['toolCalls'] = [];
    let opaque: ItsOwn | undefined;
    let open: Thought[] = [];
    const indexes = [...this.thoughts.keys(), ...this.calls.keys(), ...this.texts].sort((a, b) => a - b);
    for (const index of indexes) {
      const thought = this.thoughts.get(index);
      const call = this.calls.get(index);
      if (thought) open.push(asKept(thought));
      else if (call) {
        toolCalls.push({ ...call, ...(open.length > 0 && { opaque: { thoughts: open } }) });
        open = [];
      } else if (open.length > 0) {
        opaque = { thoughts: [...(opaque?.thoughts ?? []), ...open] };
        open = [];
      }
    }
    return { toolCalls, ...(opaque && { opaque }) };
  }
}

type Delta = NonNullable<NonNullable<ConverseStreamOutput['contentBlockDelta']>['delta']>;

function asKept({ text, signature, redacted }: { text: string; signature?: string; redacted?: Uint8Array[] }): Thought {
  if (redacted) return { redacted: Buffer.concat(redacted).toString('base64') };
  return { text, ...(signature && { signature }) };
}

/** Bedrock's `inputTokens` excludes cached tokens; Vigil's includes them. */
function usageOf({ inputTokens = 0, outputTokens = 0, ...more }: TokenUsage): Usage {
  const { cacheReadInputTokens: read, cacheWriteInputTokens: written } = more;
  return {
    ...noUsage,
    inputTokens: inputTokens + (read ?? 0) + (written ?? 0),
    outputTokens,
    ...(read !== undefined && { cachedInputTokens: read }),
    ...(written !== undefined && { cacheWriteTokens: written }),
  };
}
