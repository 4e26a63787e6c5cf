import type { ChatCompletion, ChatCompletionCreateParams, ChatCompletionChunk as Chunk } from 'openai/resources/chat';

type Delta = Chunk.Choice.Delta;
type FinishReason = ChatCompletion.Choice['finish_reason'];

/** What a model says in one turn, before it is put into the protocol's words. */
export interface Answer {
  text?: string;
  toolCalls?: { id: string; name: string /** JSON, or what a broken model takes for it. */; arguments: string }[];
  usage?: Usage;
  finishReason?: string;
}

export type Usage = Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', number>;
/** Servers of this API differ in how finely they cut: a sentence and a whole call at a time, or a few characters. */
export type Deltas = 'whole' | 'fragments';
export type Heading = Pick<ChatCompletion, 'id' | 'created' | 'model'> & { system_fingerprint: string };

/** About four characters a token, as OpenAI's rule of thumb has it: good enough for a bill that nobody pays. */
export function usageOf({ messages, tools = [] }: ChatCompletionCreateParams, answer: Answer): Usage {
  const { text = '', toolCalls = [], usage } = answer;
  const tokens = (...parts: unknown[]) => Math.ceil(JSON.stringify(parts).length / 4);
  const [prompt_tokens, completion_tokens] = [tokens(messages, tools), tokens(text, toolCalls)];
  return usage ?? { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** A script may name a reason that no real server gives; the client has to cope with it. */
export const finishReason = ({ finishReason, toolCalls }: Answer): FinishReason =>
  (finishReason ?? (toolCalls?.length ? 'tool_calls' : 'stop')) as FinishReason;

export function completion(heading: Heading, answer: Answer, usage?: Usage): ChatCompletion {
  const calls = answer.toolCalls?.map(({ id, ...called }) => ({ id, type: 'function' as const, function: called }));
  const asked = calls?.length ? { tool_calls: calls } : {};
  const message = { role: 'assistant' as const, content: answer.text ?? null, refusal: null, ...asked };
  const choice = { index: 0, message, logprobs: null, finish_reason: finishReason(answer) };
  return { ...heading, object: 'chat.completion', choices: [choice], ...(usage && { usage }) };
}

export const chunk = (heading: Heading, delta: Delta, finish_reason: FinishReason | null = null): Chunk => ({
  ...heading,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
});
/** The last chunk of a stream whose request asked for `stream_options.include_usage`: no choices, the whole bill. */
export const usageChunk = (heading: Heading, usage: Usage): Chunk => ({
  ...heading,
  object: 'chat.completion.chunk',
  choices: [],
  usage,
});

/** The deltas between the first chunk (which tells the role) and the last (which tells why it ended). */
export function deltasOf({ text = '', toolCalls = [] }: Answer, style: Deltas): Delta[] {
  const pieces = style === 'whole' ? sentences(text) : fragments(text);
  const calls = toolCalls.flatMap(({ id, name, arguments: json }, index) => {
    const opening = { index, id, type: 'function' as const };
    if (style === 'whole') return [{ ...opening, function: { name, arguments: json } }];
    const rest = fragments(json).map((piece) => ({ index, function: { arguments: piece } }));
    return [{ ...opening, function: { name, arguments: '' } }, ...rest];
  });
  return [...pieces.map((content) => ({ content })), ...calls.map((call) => ({ tool_calls: [call] }))];
}

export const sse = (data: object | '[DONE]'): string => `data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`;
/** Joined they are the text again. */
const sentences = (text: string): string[] => text.match(/[\s\S]+?(?:[.!?…]+["')\]]*\s+|\n+|$)/g) ?? [];
const fragments = (text: string): string[] => text.match(/.{1,4}/gs) ?? [];
