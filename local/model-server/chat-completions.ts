import type { ChatCompletion, ChatCompletionCreateParams, ChatCompletionChunk as Chunk } from 'openai/resources/chat';

type Delta = Chunk.Choice.Delta;
type FinishReason = ChatCompletion.Choice['finish_reason'];

/** A model's answer in one turn, independent of the protocol. */
export interface Answer {
  text?: string;
  toolCalls?: { id: string; name: string /** JSON, or malformed JSON of a faulty model. */; arguments: string }[];
  /** The addresses of pictures, which go as OpenRouter sends them. */
  images?: string[];
  usage?: Usage;
  finishReason?: string;
}

export type Usage = Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', number>;
/** The granularity of a stream: whole sentences and calls, or a few characters at a time. */
export type Deltas = 'whole' | 'fragments';
export type Heading = Pick<ChatCompletion, 'id' | 'created' | 'model'> & { system_fingerprint: string };

/** Estimates about four characters per token, OpenAI's rule of thumb. */
export function usageOf({ messages, tools = [] }: ChatCompletionCreateParams, answer: Answer): Usage {
  const { text = '', toolCalls = [], usage } = answer;
  const tokens = (...parts: unknown[]) => Math.ceil(JSON.stringify(parts).length / 4);
  const [prompt_tokens, completion_tokens] = [tokens(messages, tools), tokens(text, toolCalls)];
  return usage ?? { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A script may name a reason that no real server gives, which the client must handle. */
export const finishReason = ({ finishReason, toolCalls }: Answer): FinishReason =>
  (finishReason ?? (toolCalls?.length ? 'tool_calls' : 'stop')) as FinishReason;

export function completion(heading: Heading, answer: Answer, usage?: Usage): ChatCompletion {
  const calls = answer.toolCalls?.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called }));
  const asked = calls?.length ? { tool_calls: calls } : {};
  const message = {
    role: 'assistant' as const,
    content: answer.text ?? null,
    refusal: null,
    ...asked,
    ...(answer.images && { images: imagesOf(answer.images) }),
  };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(answer) };
  return { ...heading, object: 'chat.completion', choices: [choice], ...(usage && { usage }) };
}

const imagesOf = (urls: string[]) => urls.map((url) => ({ type: 'image_url', image_url: { url } }));

export const chunk = (heading: Heading, delta: Delta, finish_reason: FinishReason | null = null): Chunk => ({
  ...heading,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});
/** The last chunk of a stream with `stream_options.include_usage`: no choices, only the usage. */
export const usageChunk = (heading: Heading, usage: Usage): Chunk => ({
  ...heading,
  object: 'chat.completion.chunk',
  choices: [],
  usage,
});

/** Returns the deltas between the first chunk, which has the role, and the last, which has the finish reason. */
export function deltasOf({ text = '', toolCalls = [], images }: Answer, style: Deltas): Delta[] {
  const pieces = style === 'whole' ? sentences(text) : fragments(text);
  const calls = toolCalls.flatMap(({ id, name, arguments: json }, index) => {
    const opening = { index, id, type: 'function' as const };
    if (style === 'whole') return [{ ...opening, function: { name, arguments: json } }];
    const rest = fragments(json).map((piece) => ({ index, function: { arguments: piece } }));
    return [{ ...opening, function: { name, arguments: '' } }, ...rest];
  });
  const drawn = images ? [{ content: '', images: imagesOf(images) } as Delta] : [];
  return [...pieces.map((content) => ({ content })), ...drawn, ...calls.map((call) => ({ tool_calls: [call] }))];
}

export const sse = (data: object | '[DONE]'): string => `data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`;
/** Joined, the parts are the text again. */
const sentences = (text: string): string[] => text.match(/[\s\S]+?(?:[.!?…]+["')\]]*\s+|\n+|$)/g) ?? [];
const fragments = (text: string): string[] => text.match(/.{1,4}/gs) ?? [];
