import * as z from 'zod';
import { clip } from '../../core/base/text/clip';
import { ModelRejected, ModelUnavailable, ModelUnreadable } from '../../core/base/text/errors';
import type { MadeFile } from '../../core/conversations/agent/model';
import type { Collected, Collector, Counts } from '../../lambdas/models/api';
import { pictureOf } from '../../lambdas/models/made-file';
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
import type { ItsOwn, Thought } from './converse';

const bytes = z.instanceof(Uint8Array);
const Place = z.object({ contentBlockIndex: Index });
const Delta = z.object({
  text: odd(z.string()),
  toolUse: odd(z.object({ input: z.unknown().optional() })),
  image: odd(
    z.object({ source: odd(z.object({ bytes: odd(bytes) })), error: odd(z.object({ message: odd(z.string()) })) }),
  ),
  reasoningContent: odd(z.object({ text: odd(z.string()), signature: odd(z.string()), redactedContent: odd(bytes) })),
});
const Usage = z.object({
  inputTokens: Tokens,
  outputTokens: Tokens,
  cacheReadInputTokens: Tokens,
  cacheWriteInputTokens: Tokens,
  cacheDetails: oddList(z.object({ ttl: z.string(), inputTokens: Tokens })),
});
/** What a guardrail has found, of which only the place matters: the rest quotes the words. */
const GuardrailTrace = z.object({
  actionReason: odd(z.string()),
  inputAssessment: odd(z.record(z.string(), z.unknown())),
  outputAssessments: odd(z.record(z.string(), z.unknown())),
});
const Event = z.object({
  contentBlockStart: odd(
    Place.extend({ start: odd(z.object({ toolUse: odd(z.object({ toolUseId: Id, name: odd(z.string()) })) })) }),
  ),
  contentBlockDelta: odd(Place.extend({ delta: odd(Delta) })),
  messageStop: odd(z.object({ stopReason: odd(z.string()) })),
  metadata: odd(z.object({ usage: odd(Usage), trace: odd(z.object({ guardrail: odd(GuardrailTrace) })) })),
});

/** A block of the reply. Blocks of different kinds may have the same index. */
type Block = { index: number } & (
  | { kind: 'text' }
  | { kind: 'picture'; pieces: Uint8Array[]; isLost?: boolean }
  | { kind: 'call'; id: string; name: string; arguments: string }
  | { kind: 'thought'; text: string; signature?: string; redacted?: Uint8Array[] }
);
type OfKind<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

const cutOff = ['max_tokens', 'model_context_window_exceeded'];
const refused = ['content_filtered'];
const guardrailIntervened = 'guardrail_intervened';
const reasonCharacters = 2_000;
const malformed = ['malformed_model_output', 'malformed_tool_use'];

export class ConverseReply implements Collector {
  private readonly text: SaidText;
  private readonly blocks: Block[] = [];
  private stopReason?: string;
  private counts?: Counts;
  private trace?: z.infer<typeof GuardrailTrace>;

  /** @param guardrail the id of the model's guardrail. */
  constructor(
    onText: (piece: string) => void,
    private readonly guardrail?: string,
  ) {
    this.text = new SaidText(onText);
  }

  add(event: unknown): void {
    const {
      contentBlockStart: start,
      contentBlockDelta: delta,
      messageStop,
      metadata,
    } = Event.safeParse(event).data ?? {};
    const toolUse = start?.start?.toolUse;
    if (toolUse) {
      const { toolUseId: id, name = '' } = toolUse;
      this.blocks.push({ kind: 'call', index: start.contentBlockIndex ?? 0, id, name, arguments: '' });
    }
    if (delta?.delta) this.addDelta(delta.contentBlockIndex ?? 0, delta.delta);
    if (messageStop) this.stopReason = messageStop.stopReason ?? 'end_turn';
    if (metadata?.usage) this.counts = countsOf(metadata.usage);
    this.trace ??= metadata?.trace?.guardrail;
  }

  private addDelta(index: number, { text, toolUse, image, reasoningContent }: z.infer<typeof Delta>): void {
    if (image) {
      const picture = this.blockAt('picture', index, () => ({ kind: 'picture', index, pieces: [] }));
      if (image.source?.bytes) picture.pieces.push(image.source.bytes);
      if (image.error) picture.isLost = true;
    }
    if (text) {
      this.blockAt('text', index, () => ({ kind: 'text', index }));
      this.text.add(textIn(text));
    }
    const call = this.blocks.findLast((block) => block.kind === 'call' && block.index === index) as OfKind<'call'>;
    if (toolUse && call) call.arguments += argumentsText(toolUse.input);
    if (!reasoningContent) return;
    const thought = this.blockAt('thought', index, () => ({ kind: 'thought', index, text: '' }));
    thought.text += reasoningContent.text ?? '';
    if (reasoningContent.signature) thought.signature = `${thought.signature ?? ''}${reasoningContent.signature}`;
    if (reasoningContent.redactedContent)
      thought.redacted = [...(thought.redacted ?? []), reasoningContent.redactedContent];
  }

  private blockAt<Kind extends Block['kind']>(kind: Kind, index: number, begun: () => OfKind<Kind>): OfKind<Kind> {
    const found = this.blocks.findLast((block) => block.kind === kind && block.index === index);
    if (found) return found as OfKind<Kind>;
    const block = begun();
    this.blocks.push(block);
    return block;
  }

  finish(): Collected {
    const { stopReason } = this;
    if (!stopReason) throw new ModelUnavailable("The model's answer broke off.");
    if (malformed.includes(stopReason)) throw new ModelUnreadable(`The model's reply is malformed (${stopReason}).`);
    if (refused.includes(stopReason)) throw new ModelRejected('The model refused the content.');
    const isCut = cutOff.includes(stopReason);
    const text = this.text.end();
    if (stopReason === guardrailIntervened) return this.intervened(text);
    return collected({ text, ...this.parts(), cutOff: isCut ? stopReason : undefined }, this.counts);
  }

  /**
   * The guardrail has masked parts of the reply, or has refused the request or the reply: then the text is what its owner has written for
   * that, after what had passed before. In doubt, it has refused.
   */
  private intervened(text: string): Collected {
    const { actionReason = '', inputAssessment, outputAssessments } = this.trace ?? {};
    const guard = `guardrail ${this.guardrail ?? ''}`.trim();
    const isMasked = /\bmasked\b/i.test(actionReason) && !/\bblocked\b/i.test(actionReason);
    if (isMasked)
      return {
        ...collected({ text, ...this.parts() }, this.counts),
        guardrail: { guard, at: 'output', verdict: 'replaced' },
      };
    const isOfInput = inputAssessment !== undefined && outputAssessments === undefined;
    const reason = clip(text.trim(), { characters: reasonCharacters }, '…') || 'The guardrail has refused this.';
    return {
      ...collected({ text: '', toolCalls: [] }, this.counts),
      guardrail: { guard, at: isOfInput ? 'input' : 'output', verdict: 'refused', reason },
    };
  }

  /** Attaches each block of reasoning to the text or call that follows it. */
  private parts(): { toolCalls: AskedOnWire[]; files: MadeFile[]; opaque?: ItsOwn } {
    const toolCalls: AskedOnWire[] = [];
    const files: MadeFile[] = [];
    let opaque: ItsOwn | undefined;
    let open: Thought[] = [];
    for (const block of this.blocks.toSorted((a, b) => a.index - b.index)) {
      if (block.kind === 'thought') open.push(asKept(block));
      else if (block.kind === 'call') {
        const { id, name, arguments: args } = block;
        toolCalls.push({ id, name, arguments: args, ...(open.length > 0 && { opaque: { thoughts: open } }) });
        open = [];
      } else if (block.kind === 'picture') {
        files.push(
          block.isLost ? { problem: 'Amazon Bedrock has not sent it.' } : pictureOf(Buffer.concat(block.pieces)),
        );
        // It does not go back, so neither does the reasoning before it.
        open = [];
      } else if (open.length > 0) {
        opaque = { thoughts: [...(opaque?.thoughts ?? []), ...open] };
        open = [];
      }
    }
    return { toolCalls, files, ...(opaque && { opaque }) };
  }
}

function asKept({ text, signature, redacted }: OfKind<'thought'>): Thought {
  if (redacted) return { redacted: Buffer.concat(redacted).toString('base64') };
  return { text, ...(signature && { signature }) };
}

/** Bedrock's `inputTokens` excludes cached tokens; Vigil's includes them. */
const countsOf = ({ inputTokens: input, outputTokens: output, ...more }: z.infer<typeof Usage>): Counts => ({
  input: input === undefined ? undefined : input + (more.cacheReadInputTokens ?? 0) + (more.cacheWriteInputTokens ?? 0),
  output,
  cached: more.cacheReadInputTokens,
  written: more.cacheWriteInputTokens,
  writtenForHour: more.cacheDetails.reduce(
    (sum, { ttl, inputTokens = 0 }) => sum + (ttl === '1h' ? inputTokens : 0),
    0,
  ),
});
