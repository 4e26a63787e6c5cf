import * as z from 'zod';
import { ModelRejected, ModelUnavailable, ModelUnreadable } from '../../core/base/text/errors';
import type { Collected, Collector, Counts } from '../../lambdas/models/api';
import { pictureAt } from '../../lambdas/models/made-file';
import { SaidText } from '../../lambdas/models/said-text';
import {
  type AskedOnWire,
  argumentsText,
  collected,
  Id,
  Index,
  isObjectText,
  odd,
  oddList,
  Tokens,
  textIn,
} from '../../lambdas/models/wire';
import type { ItsOwn } from './chat';

const Called = z.object({ name: odd(z.string()), arguments: z.unknown().optional() });
/** Some servers omit the object `function`. */
const Entry = Called.extend({ index: Index, id: Id, function: odd(Called) }).loose();
const Delta = z.looseObject({
  content: z.unknown().optional(),
  refusal: odd(z.string()),
  tool_calls: oddList(Entry),
  function_call: odd(Called),
  /** OpenRouter's form of pictures: https://openrouter.ai/docs/features/multimodal/image-generation */
  images: oddList(z.object({ image_url: odd(z.object({ url: odd(z.string()) })) })),
});
const Usage = z.object({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  /** DeepSeek counts cached input in a field of its own. */
  prompt_cache_hit_tokens: Tokens,
  prompt_tokens_details: odd(z.object({ cached_tokens: Tokens, cache_write_tokens: Tokens })),
  completion_tokens_details: odd(z.object({ reasoning_tokens: Tokens })),
});
/** A chunk of a stream has a `delta`, a whole reply a `message`. */
const Choice = z.object({
  index: Index,
  delta: odd(Delta),
  message: odd(Delta),
  finish_reason: z.unknown().optional(),
});
const Chunk = z.object({ choices: oddList(Choice), usage: odd(Usage) });

type Entry = z.infer<typeof Entry>;
interface Call extends AskedOnWire {
  index?: number;
  /** Whether its arguments have begun, if only with an empty text. */
  hasArguments: boolean;
  own: Record<string, unknown>;
}

/** Fields outside the standard that servers need back, of a message and of a call. */
const ofMessage = ['reasoning_content', 'reasoning_details', 'extra_content'];
const ofCall = ['extra_content'];
const cutOff = ['length', 'max_tokens', 'max_output_tokens', 'model_length'];
const refused = ['content_filter', 'content_filtered', 'safety'];

/** Assembles a streamed reply. Depending on the server, tool calls arrive whole or in fragments, with or without an index and an id. */
export class ChatReply implements Collector {
  private readonly text: SaidText;
  private own: Record<string, unknown> = {};
  private readonly toolCalls: Call[] = [];
  /** Each once: a server may repeat them at the end. */
  private readonly pictures = new Set<string>();
  private isReply = false;
  private isMessage = false;
  private finishReason = '';
  private counts?: Counts;

  constructor(onText: (piece: string) => void) {
    this.text = new SaidText(onText);
  }

  add(event: unknown): void {
    const { data } = Chunk.safeParse(event);
    if (data?.usage) this.counts = countsOf(data.usage);
    // A server that makes several replies gives each its number. The first one counts.
    const choice = data?.choices.find(({ index = 0 }) => index === 0);
    if (!choice) return;
    this.isReply = true;
    const said = choice.delta ?? choice.message;
    if (choice.message) this.isMessage = true;
    if (said) {
      this.text.add(textIn(said.content) || (said.refusal ?? ''));
      this.own = withMore(this.own, said, ofMessage);
      for (const { image_url: { url } = {} } of said.images) if (url) this.pictures.add(url);
      const entries = [...said.tool_calls, ...(said.function_call ? [Entry.parse(said.function_call)] : [])];
      const ofChunk = new Set<Call>();
      for (const entry of entries) ofChunk.add(this.addToolCall(entry, ofChunk));
    }
    const { finish_reason: end } = choice;
    if (end) this.finishReason = typeof end === 'string' ? end.toLowerCase() : 'stop';
  }

  private addToolCall(entry: Entry, ofChunk: ReadonlySet<Call>): Call {
    const { index, id } = entry;
    const { name = '', arguments: args } = entry.function ?? entry;
    const named = this.toolCalls.findLast((call) => index === undefined || call.index === index);
    // A fragment with nothing but an index that is new belongs to the last call.
    const last = named ?? (name || id ? undefined : this.toolCalls.at(-1));
    const fragment = { index, id, name, arguments: argumentsText(args) };
    const continues = last && !isAnother(last, fragment, ofChunk.has(last));
    const call: Call = continues ? last : { index, id: '', name: '', arguments: '', hasArguments: false, own: {} };
    if (!continues) this.toolCalls.push(call);
    call.id ||= id;
    // Some servers send the name in fragments, others repeat it with every fragment of the arguments.
    if (name !== call.name) call.name += name;
    call.arguments += fragment.arguments;
    call.hasArguments ||= args !== undefined;
    call.own = withMore(call.own, entry, ofCall);
    return call;
  }

  finish(isDone = false): Collected {
    if (!this.isReply && isDone)
      throw new ModelUnreadable("The model's server answered with something that is no reply.");
    const finishReason = this.finishReason || (isDone || this.isMessage ? 'stop' : 'error');
    if (refused.includes(finishReason)) throw new ModelRejected('The model refused the content.');
    if (finishReason === 'error') throw new ModelUnavailable("The model's answer broke off.");
    const text = this.text.end();
    // A message without text is not stored, so its data goes with the first call.
    const message: ItsOwn = isEmpty(this.own) ? {} : { message: this.own };
    const isWithCall = !text.trim() || 'reasoning_content' in this.own;
    const toolCalls = this.toolCalls.map(({ id, name, arguments: args, own }, index) => {
      const opaque: ItsOwn = { ...(isWithCall && index === 0 && message), ...(!isEmpty(own) && { call: own }) };
      return { id, name, arguments: args, ...(!isEmpty(opaque) && { opaque }) };
    });
    // Reasoning before a reply without calls is dropped, because some servers reject it.
    const opaque = !isWithCall && message.message ? message : undefined;
    const files = [...this.pictures].map(pictureAt);
    return collected(
      { text, toolCalls, files, opaque, cutOff: cutOff.includes(finishReason) ? finishReason : undefined },
      this.counts,
    );
  }
}

type Fragment = Pick<Call, 'index' | 'id' | 'name' | 'arguments'>;

/**
 * Whether a fragment begins another call than the last one of its index.
 *
 * @param isSecond whether the last one had a fragment in the same chunk.
 */
function isAnother(last: Call, { index, id, name, arguments: args }: Fragment, isSecond: boolean): boolean {
  if (id && last.id && id !== last.id) return true;
  if (!name) return false;
  const isSame = id !== '' && id === last.id;
  const isRenamed = name !== last.name;
  // A call's name is complete before its arguments begin.
  if (isRenamed && (last.arguments || (index === undefined && last.hasArguments))) return true;
  if (isSecond && !isSame && (index === undefined || isRenamed)) return true;
  // Nothing follows complete arguments.
  return isObjectText(last.arguments) && (args.trim() !== '' || (index === undefined && !isSame));
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** Adds the fields of a delta. Texts and lists are appended, anything else is replaced. */
function withMore(
  own: Record<string, unknown>,
  delta: Record<string, unknown>,
  fields: string[],
): Record<string, unknown> {
  const more = { ...own };
  for (const field of fields) {
    const value = delta[field];
    const before = more[field];
    if (value === undefined || value === null) continue;
    if (typeof value === 'string' && typeof before === 'string') more[field] = before + value;
    else more[field] = Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value;
  }
  return more;
}

const countsOf = (usage: z.infer<typeof Usage>): Counts => ({
  input: usage.prompt_tokens,
  output: usage.completion_tokens,
  cached: usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens,
  written: usage.prompt_tokens_details?.cache_write_tokens,
  reasoning: usage.completion_tokens_details?.reasoning_tokens,
});
