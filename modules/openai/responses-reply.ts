import type { ResponseReasoningItem } from 'openai/resources/responses/responses';
import * as z from 'zod';
import { ModelRejected, ModelUnavailable, ModelUnreadable } from '../../core/base/text/errors';
import type { Collected, Collector, Counts } from '../../lambdas/models/api';
import { usesIn } from '../../lambdas/models/hosted-uses';
import { type ApiError, failureOf } from '../../lambdas/models/model-errors';
import { SaidText } from '../../lambdas/models/said-text';
import {
  type AskedOnWire,
  argumentsText,
  collected,
  Id,
  Index,
  odd,
  oddList,
  Tokens,
  textIn,
} from '../../lambdas/models/wire';
import type { ItsOwn } from './responses';
import { containerFiles, hostedItem, isDrawing, picturesIn, toldCitations, toldUses } from './responses-hosted';

/** The rest of it is that of a hosted tool. */
const Item = z.looseObject({
  type: odd(z.string()),
  id: Id,
  call_id: Id,
  name: odd(z.string()),
  arguments: z.unknown().optional(),
  content: z.unknown().optional(),
  phase: odd(z.enum(['commentary', 'final_answer'])),
  summary: z.array(z.unknown()).catch([]),
  encrypted_content: odd(z.string()),
});
type Item = z.infer<typeof Item>;

const Usage = z.object({
  input_tokens: Tokens,
  output_tokens: Tokens,
  // Other servers of this API omit the details.
  input_tokens_details: odd(z.object({ cached_tokens: Tokens, cache_write_tokens: Tokens })),
  output_tokens_details: odd(z.object({ reasoning_tokens: Tokens })),
});
const Response = z.object({
  id: Id,
  status: odd(z.string()),
  usage: odd(Usage),
  output: oddList(Item),
  incomplete_details: odd(z.object({ reason: odd(z.string()) })),
  error: z.unknown().optional(),
});
const Event = z.object({
  type: odd(z.string()),
  output_index: Index,
  item_id: Id,
  delta: odd(z.string()),
  arguments: z.unknown().optional(),
  item: odd(Item),
  response: odd(Response),
});

/** A whole reply, of a server that ignores `stream`, becomes the event that ends a stream. */
const Whole = z
  .object({ object: z.literal('response'), status: odd(z.string()) })
  .loose()
  .transform((response) => ({ type: typeOf(response.status), response }));

/** Returns the event of a stream that says the same. */
function typeOf(status: string | undefined): string {
  if (status === 'queued' || status === 'in_progress') return 'response.in_progress';
  return `response.${status === 'failed' || status === 'cancelled' ? status : 'completed'}`;
}

function eventIn(event: unknown): z.infer<typeof Event> | undefined {
  const { success, data } = Whole.safeParse(event);
  return Event.safeParse(success ? data : event).data;
}

/** Returns the error that an event reports. */
export function responseFailure(event: unknown): ApiError | undefined {
  const { type, response } = eventIn(event) ?? {};
  if (type === 'response.failed' || type === 'response.cancelled') return failureOf({ error: response?.error || {} });
  return failureOf(type === 'error' ? { error: event } : event);
}

/** Whether an event is the last one about its reply. */
export const isEnd = (event: unknown): boolean =>
  /^(?:error|response\.(?:completed|incomplete|done|failed|cancelled))$/.test(eventIn(event)?.type ?? '');

/** Returns the id of the reply that an event is about. */
export const responseIdIn = (event: unknown): string | undefined => eventIn(event)?.response?.id || undefined;

/** Returns the counts of a whole reply. */
export function countsIn(response: unknown): Counts | undefined {
  const usage = Response.safeParse(response).data?.usage;
  return usage && countsOf(usage);
}

export class ResponseReply implements Collector {
  private readonly text: SaidText;
  private hasText = false;
  /** The reply's messages so far. Some replies have two, a commentary and an answer. */
  private readonly begun = new Set<number>();
  private readonly items: Item[] = [];
  /** Calls whose end has not been told, by their place. */
  private readonly open = new Map<number, Item>();
  private isReply = false;
  private end?: z.infer<typeof Response> & { reason?: string };

  constructor(onText: (piece: string) => void) {
    this.text = new SaidText(onText);
  }

  add(given: unknown): void {
    const event = eventIn(given);
    if (!event?.type) return;
    const { type, item, response, output_index: index = this.placeOf(event.item_id) } = event;
    this.isReply ||= type.startsWith('response.');
    if (type === 'response.output_text.delta' || type === 'response.refusal.delta') this.say(index, event.delta ?? '');
    else if (type === 'response.output_item.added' && item) this.open.set(index, item);
    else if (type === 'response.function_call_arguments.done') this.fill(index, event.arguments);
    else if (type === 'response.output_item.done' && item) this.complete(index, item);
    else if (
      (type === 'response.completed' || type === 'response.incomplete' || type === 'response.done') &&
      response
    ) {
      // Some servers end every reply with the same event.
      const isCut = type === 'response.incomplete' || response.status === 'incomplete';
      this.end = { ...response, reason: isCut ? (response.incomplete_details?.reason ?? 'incomplete') : undefined };
    }
  }

  finish(isDone = false): Collected {
    if (!this.isReply && isDone)
      throw new ModelUnreadable("The model's server answered with something that is no reply.");
    if (!this.end) throw new ModelUnavailable("The model's answer broke off.");
    const { usage, reason, output } = this.end;
    if (reason === 'content_filter') throw new ModelRejected('The model refused the content.');
    this.completeFrom(output);
    const text = this.text.end();
    const contents = this.items.filter(({ type }) => type === 'message').map(({ content }) => content);
    const used = usesIn(toldUses(this.items), toldCitations(contents));
    const files = { files: picturesIn(this.items), remoteFiles: containerFiles(contents) };
    return collected({ text, ...partsOf(this.items), ...used, ...files, cutOff: reason }, usage && countsOf(usage));
  }

  /** Some servers give no places. What belongs to an item has its id. */
  private placeOf(id: string): number {
    for (const [index, item] of this.open) if (id && item.id === id) return index;
    return 0;
  }

  private fill(index: number, args: unknown): void {
    const call = this.open.get(index);
    if (call) this.open.set(index, { ...call, arguments: args });
  }

  private say(index: number, piece: string): void {
    if (!piece) return;
    const isNext = !this.begun.has(index) && this.hasText;
    this.begun.add(index);
    this.hasText = true;
    this.text.add(isNext ? `\n\n${piece}` : piece);
  }

  private complete(index: number, item: Item): void {
    this.items.push(item);
    this.open.delete(index);
    // The server does not stream the text.
    if (item.type === 'message' && !this.begun.has(index)) this.say(index, textIn(item.content));
  }

  /** Adds the items that only the whole reply has at the end, or whose own end was not told. */
  private completeFrom(output: Item[]): void {
    const isKnown = (item: Item) => this.items.some((known) => isSame(known, item));
    const missed = output.filter((item) => !isKnown(item));
    // Messages whose text has been streamed are in the reply already.
    const isStreamed = this.hasText && !this.items.some(({ type }) => type === 'message');
    for (const item of missed) {
      this.items.push(item);
      if (item.type === 'message' && !isStreamed) this.say(this.begun.size + 1_000, textIn(item.content));
    }
    const left = [...this.open.values()].filter(
      (item) => item.type === 'function_call' && item.arguments !== undefined,
    );
    this.items.push(...left.filter((item) => !isKnown(item)));
  }
}

/** Whether two items are one. Its id may be told only once. */
function isSame(one: Item, other: Item): boolean {
  if (one.type !== other.type) return false;
  if (one.type === 'function_call' && one.call_id && other.call_id) return one.call_id === other.call_id;
  if (one.id && other.id) return one.id === other.id;
  if (one.type === 'function_call')
    return one.name === other.name && argumentsText(one.arguments) === argumentsText(other.arguments);
  return one.encrypted_content === other.encrypted_content && textIn(one.content) === textIn(other.content);
}

/**
 * Attaches reasoning, and the calls of hosted tools, to the item that follows them. Those without such an item are dropped, because the API
 * rejects such reasoning. It also rejects a hosted call without the reasoning that led to it.
 */
function partsOf(items: Item[]): { toolCalls: AskedOnWire[]; opaque?: ItsOwn } {
  const toolCalls: AskedOnWire[] = [];
  const said: ItsOwn = {};
  let reasoning: NonNullable<ItsOwn['reasoning']> = [];
  const isReadable = items.every(({ type, encrypted_content }) => type !== 'reasoning' || encrypted_content);
  for (const item of items) {
    const used = hostedItem(item);
    if (used) reasoning.push(...(isReadable ? [used] : []));
    else if (isDrawing(item)) while (reasoning.at(-1)?.type === 'reasoning') reasoning.pop();
    else if (item.type === 'reasoning') {
      const { id, encrypted_content } = item;
      const summary = item.summary as ResponseReasoningItem['summary'];
      if (encrypted_content) reasoning.push({ type: 'reasoning', id, summary, encrypted_content });
    } else if (item.type === 'function_call') {
      const call = { id: item.call_id || item.id, name: item.name ?? '', arguments: argumentsText(item.arguments) };
      toolCalls.push({ ...call, ...(reasoning.length > 0 && { opaque: { reasoning } }) });
      reasoning = [];
      // A message without text is never sent back, so the reasoning before it belongs to the next item.
    } else if (item.type === 'message' && textIn(item.content).trim()) {
      if (reasoning.length > 0) said.reasoning = [...(said.reasoning ?? []), ...reasoning];
      if (item.phase) said.phase = item.phase;
      reasoning = [];
    }
  }
  return { toolCalls, ...(Object.keys(said).length > 0 && { opaque: said }) };
}

const countsOf = (usage: z.infer<typeof Usage>): Counts => ({
  input: usage.input_tokens,
  output: usage.output_tokens,
  cached: usage.input_tokens_details?.cached_tokens ?? 0,
  written: usage.input_tokens_details?.cache_write_tokens ?? 0,
  reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
});
