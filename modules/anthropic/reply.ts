import * as z from 'zod';
import { ModelRejected, ModelUnavailable, ModelUnreadable } from '../../core/base/text/errors';
import type { Collected, Collector, Counts } from '../../lambdas/models/api';
import { usesIn } from '../../lambdas/models/hosted-uses';
import { SaidText } from '../../lambdas/models/said-text';
import { type AskedOnWire, argumentsText, collected, Id, Index, odd, oddList, Tokens } from '../../lambdas/models/wire';
import { type HostedBlock, isHostedBlock, toldCitations, toldUses } from './hosted';
import type { ItsOwn, Thought } from './request';

const Block = z.looseObject({
  type: odd(z.string()),
  text: odd(z.string()),
  thinking: odd(z.string()),
  signature: odd(z.string()),
  data: odd(z.string()),
  id: z.unknown().optional(),
  name: odd(z.string()),
  input: z.unknown().optional(),
});
const Delta = z.object({
  type: odd(z.string()),
  text: odd(z.string()),
  thinking: odd(z.string()),
  signature: odd(z.string()),
  partial_json: z.unknown().optional(),
  citation: z.unknown().optional(),
  stop_reason: odd(z.string()),
  stop_details: odd(z.object({ category: odd(z.string()) })),
});
const Usage = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  cache_read_input_tokens: Tokens,
  cache_creation_input_tokens: Tokens,
  cache_creation: odd(z.object({ ephemeral_1h_input_tokens: Tokens })),
  output_tokens_details: odd(z.object({ thinking_tokens: Tokens })),
});
const Message = z.object({ content: oddList(Block), stop_reason: odd(z.string()), usage: odd(Usage) });
const Event = z.object({
  type: odd(z.string()),
  index: Index,
  message: odd(Message),
  content_block: odd(Block),
  delta: odd(Delta),
  usage: odd(Usage),
});
type Block = z.infer<typeof Block>;
type Usage = z.infer<typeof Usage>;

/** A block of the reply. What is not known of it goes back unchanged if the reply goes on. */
interface Begun {
  index: number;
  given: Block;
  text: string;
  thinking: string;
  signature: string;
  json: string;
  citations: unknown[];
}

const cutOff = ['max_tokens', 'model_context_window_exceeded'];
/** A provider's own tools pause a reply, which goes on when it is sent back. */
const paused = 'pause_turn';
const mostPauses = 8;

/** Assembles a streamed reply of Anthropic's Messages API. A reply that was paused goes on with a second stream. */
export class AnthropicReply implements Collector {
  private readonly text: SaidText;
  private readonly blocks: Begun[] = [];
  /** The blocks of this stream. Those before it are of streams that ended with a pause. */
  private stream: Begun[] = [];
  private isReply = false;
  private isOver = false;
  private stopReason?: string;
  private category?: string;
  private usage: Usage = {};
  private counts?: Counts;
  private pauses = 0;

  constructor(onText: (piece: string) => void) {
    this.text = new SaidText(onText);
  }

  add(event: unknown): void {
    const { data } = Event.safeParse(event);
    if (data?.type === 'message') this.addWhole(event);
    else if (data?.type === 'message_start') this.count(data.message?.usage);
    else if (data?.type === 'content_block_start' && data.content_block) this.begin(data.index, data.content_block);
    else if (data?.type === 'content_block_delta' && data.delta) this.extend(data.index ?? 0, data.delta);
    else if (data?.type === 'message_delta') {
      this.count(data.usage);
      this.stopReason = data.delta?.stop_reason ?? this.stopReason;
      this.category = data.delta?.stop_details?.category;
    } else if (data?.type === 'message_stop') this.isOver = true;
    else return;
    this.isReply = true;
  }

  /** The reply of a server that ignores `stream`. */
  private addWhole(event: unknown): void {
    const { data } = Message.safeParse(event);
    for (const [index, block] of (data?.content ?? []).entries()) this.begin(index, block);
    this.count(data?.usage);
    this.stopReason = data?.stop_reason;
    this.isOver = true;
  }

  /** The counts of a stream's events are totals. Some servers count the input in the first event only, others in the last. */
  private count(given: Usage | undefined): void {
    const { output_tokens_details: details, cache_creation: written, ...totals } = given ?? {};
    const known = Object.entries(totals).filter(([, one]) => one !== undefined) as [keyof typeof totals, number][];
    for (const [name, one] of known) this.usage[name] = Math.max(one, this.usage[name] ?? 0);
    if (details) this.usage.output_tokens_details = details;
    if (written) this.usage.cache_creation = written;
  }

  private begin(index = this.stream.length, given: Block): void {
    const block: Begun = { index, given, text: '', thinking: '', signature: '', json: '', citations: [] };
    this.stream.push(block);
    this.blocks.push(block);
    this.grow(block, given);
  }

  private extend(index: number, delta: z.infer<typeof Delta>): void {
    const block = this.stream.findLast((one) => one.index === index);
    if (!block) {
      // The stream does not say that the block begins.
      this.begin(index, Block.parse({ ...delta, type: delta.text === undefined ? 'thinking' : 'text' }));
      return;
    }
    this.grow(block, delta);
    block.json += argumentsText(delta.partial_json);
    if (delta.citation) block.citations.push(delta.citation);
  }

  private grow(block: Begun, { text = '', thinking = '', signature = '' }: Partial<Block>): void {
    if (text && block.given.type === 'text') this.text.add(text);
    block.text += text;
    block.thinking += thinking;
    block.signature += signature;
  }

  paused(): object[] | undefined {
    if (this.stopReason !== paused || this.blocks.some(({ given }) => given.type === 'tool_use')) return undefined;
    if (++this.pauses > mostPauses) return undefined;
    this.addCounts();
    this.stream = [];
    this.isOver = false;
    this.stopReason = undefined;
    return this.blocks.flatMap(asReceived);
  }

  /** Each stream of a reply is a request of its own, which is paid. */
  private addCounts(): void {
    const { counts = {}, usage } = this;
    const more = countsOf(usage);
    const sum = (one: keyof Counts) => (more[one] === undefined ? counts[one] : (counts[one] ?? 0) + more[one]);
    this.counts = {
      input: sum('input'),
      output: sum('output'),
      cached: sum('cached'),
      written: sum('written'),
      reasoning: sum('reasoning'),
      writtenForHour: sum('writtenForHour'),
    };
    this.usage = {};
  }

  finish(isDone = false): Collected {
    const { stopReason } = this;
    if (!this.isReply && isDone)
      throw new ModelUnreadable("The model's server answered with something that is no reply.");
    if (!stopReason && !this.isOver) throw new ModelUnavailable("The model's answer broke off.");
    if (stopReason === 'refusal') throw new ModelRejected(`The model refused the content${this.categoryWords()}.`);
    this.addCounts();
    const isCut =
      stopReason !== undefined && [...cutOff, ...(this.pauses > mostPauses ? [paused] : [])].includes(stopReason);
    const parts = partsOf(this.blocks);
    const citations = this.blocks.flatMap((block) => block.citations);
    const used = usesIn(toldUses(this.blocks.flatMap(asReceived)), toldCitations(citations));
    return collected({ text: this.text.end(), ...parts, ...used, cutOff: isCut ? stopReason : undefined }, this.counts);
  }

  private categoryWords(): string {
    return /^\w{1,40}$/.test(this.category ?? '') ? ` (category ${this.category})` : '';
  }
}

/** Attaches each block of reasoning, and of a hosted tool, to the text or call that follows it. */
function partsOf(blocks: readonly Begun[]): { toolCalls: AskedOnWire[]; opaque?: ItsOwn } {
  const toolCalls: (AskedOnWire & { opaque?: ItsOwn })[] = [];
  const ofText: NonNullable<ItsOwn['blocks']> = [];
  // With a hosted tool, the text goes back in the passages in which it came, each with what it cites.
  const isInPassages = blocks.some(({ given, citations }) => isHostedBlock(given) || citations.length > 0);
  let open: (Thought | HostedBlock)[] = [];
  let characters = 0;
  for (const block of blocks) {
    const own = ownBlock(block);
    if (own) open.push(own);
    else if (block.given.type === 'tool_use') {
      const { id, name = '' } = block.given;
      const call = { id: Id.parse(id), name, arguments: block.json || argumentsText(block.given.input) };
      toolCalls.push({ ...call, ...(open.length > 0 && { opaque: { blocks: open } }) });
      open = [];
    } else if (block.given.type === 'text') {
      const { text, citations } = block;
      const hasWords = text.trim() !== '';
      // A text without words is no block of a request, so reasoning before it belongs to what follows.
      if (open.length > 0 && hasWords) {
        ofText.push(...(characters > 0 && !isInPassages ? [{ characters }] : []), ...open);
        open = [];
        if (!isInPassages) characters = 0;
      }
      characters += text.length;
      if (isInPassages && hasWords) {
        ofText.push({ characters, ...(citations.length > 0 && { citations }) });
        characters = 0;
      }
    }
  }
  const after = open.filter(isHostedBlock);
  const last = toolCalls.at(-1);
  if (last && after.length > 0) last.opaque = { ...last.opaque, after };
  return { toolCalls, ...(ofText.length > 0 && { opaque: { blocks: ofText } }) };
}

const ownBlock = (block: Begun): Thought | HostedBlock | undefined =>
  isHostedBlock(block.given) ? (asReceived(block)[0] as HostedBlock) : thoughtOf(block);

/** Reasoning without a signature was cut off. The API rejects it. */
function thoughtOf({ given, thinking, signature }: Begun): Thought | undefined {
  if (given.type === 'thinking' && signature) return { type: 'thinking', thinking, signature };
  return given.type === 'redacted_thinking' && given.data ? { type: 'redacted_thinking', data: given.data } : undefined;
}

/** Returns a block as the request needs it that continues a reply. */
function asReceived(block: Begun): object[] {
  const { given, text, json, citations } = block;
  if (given.type === 'thinking' || given.type === 'redacted_thinking') return [thoughtOf(block) ?? []].flat();
  const { index: _, ...more } = given as Block & { index?: unknown };
  if (given.type === 'text')
    return text.trim() ? [{ type: 'text', text, ...(citations.length > 0 && { citations }) }] : [];
  return [{ ...more, ...(json && { input: parsed(json) }) }];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** Anthropic's `input_tokens` excludes cached tokens; Vigil's includes them. */
function countsOf({ input_tokens: input, output_tokens: output, ...more }: Usage): Counts {
  const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = more;
  return {
    input: input === undefined ? undefined : input + (cached ?? 0) + (written ?? 0),
    writtenForHour: more.cache_creation?.ephemeral_1h_input_tokens,
    output,
    cached,
    written,
    reasoning: more.output_tokens_details?.thinking_tokens,
  };
}
