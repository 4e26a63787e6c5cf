import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionCreateParams,
} from 'openai/resources/chat/completions';

/** What a model says in one turn, before it is put into the protocol's words. */
export interface Answer {
  text?: string;
  toolCalls?: { id: string; name: string /** JSON, or what a broken model takes for it. */; arguments: string }[];
  usage?: Usage;
  finishReason?: string;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

/** Servers of this API differ in how finely they cut: a sentence and a whole call at a time, or a few characters. */
export type Deltas = 'whole' | 'fragments';

/** What every object of one completion carries. */
export interface Heading {
  id: string;
  created: number;
  model: string;
  system_fingerprint: string;
}

type Delta = ChatCompletionChunk.Choice.Delta;
type FinishReason = ChatCompletion.Choice['finish_reason'];

const fragmentLength = 4;

/** About four characters a token, as OpenAI's rule of thumb has it: good enough for a bill that nobody pays. */
export const tokens = (text: string): number => Math.ceil(text.length / 4);

export function usageOf(request: ChatCompletionCreateParams, answer: Answer): Usage {
  if (answer.usage) return answer.usage;
  const prompt_tokens = tokens(JSON.stringify(request.messages)) + tokens(JSON.stringify(request.tools ?? []));
  const completion_tokens = tokens(answer.text ?? '') + tokens(JSON.stringify(answer.toolCalls ?? []));
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** The sentences of a text, each with the white space that follows it: joined they are the text again. */
export const sentences = (text: string): string[] => text.match(/[\s\S]+?(?:[.!?…]+["')\]]*\s+|\n+|$)/g) ?? [];

export function finishReason(answer: Answer): FinishReason {
  // A script may name a reason that no real server gives; the client has to cope with it.
  return (answer.finishReason ?? (answer.toolCalls?.length ? 'tool_calls' : 'stop')) as FinishReason;
}

export function completion(heading: Heading, answer: Answer, usage?: Usage): ChatCompletion {
  const message: ChatCompletion.Choice['message'] = { role: 'assistant', content: answer.text ?? null, refusal: null };
  if (answer.toolCalls?.length) {
    message.tool_calls = answer.toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.arguments },
    }));
  }
  return {
    ...heading,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
    ...(usage && { usage }),
  };
}

export function chunk(heading: Heading, delta: Delta, finish_reason: FinishReason | null = null): ChatCompletionChunk {
  return { ...heading, object: 'chat.completion.chunk', choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
}

/** The last chunk of a stream whose request asked for `stream_options.include_usage`: no choices, the whole bill. */
export const usageChunk = (heading: Heading, usage: Usage): ChatCompletionChunk => ({
  ...heading,
  object: 'chat.completion.chunk',
  choices: [],
  usage,
});

/** The deltas between the first chunk (which tells the role) and the last (which tells why it ended). */
export function deltasOf(answer: Answer, style: Deltas): Delta[] {
  const pieces = style === 'whole' ? sentences(answer.text ?? '') : fragments(answer.text ?? '');
  const calls = (answer.toolCalls ?? []).flatMap((call, index) => {
    const opening = { index, id: call.id, type: 'function' as const };
    if (style === 'whole') return [{ ...opening, function: { name: call.name, arguments: call.arguments } }];
    const rest = fragments(call.arguments).map((piece) => ({ index, function: { arguments: piece } }));
    return [{ ...opening, function: { name: call.name, arguments: '' } }, ...rest];
  });
  return [...pieces.map((content) => ({ content })), ...calls.map((call) => ({ tool_calls: [call] }))];
}

export const sse = (data: object | '[DONE]'): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const fragments = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${fragmentLength}}`, 'g')) ?? [];
