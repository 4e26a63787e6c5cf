import * as z from 'zod';
import { type CallRef, LoopOutput } from '../state/loop-state';
import { Usage } from '../state/schemas';

/** How META keeps what would make it large: one that fits into 1 KB costs one write unit. */

const figures = [
  ...(['modelCalls', 'toolCalls', 'inputTokens', 'outputTokens', 'costMicrodollars'] as const),
  ...(['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens', 'unpricedCalls'] as const),
] satisfies (keyof Usage)[];

/** A usage without its names: the figures in order, up to the last one that is known. Rows from before this have the names. */
export const ShortUsage = z.union([
  z
    .array(z.number().int().nullable())
    .transform((numbers) => {
      const known = figures.map((name, index) => [name, numbers[index] ?? undefined] as const);
      return Object.fromEntries(known.filter(([, number]) => number !== undefined));
    })
    .pipe(Usage),
  Usage,
]);

export function shortUsage(usage: Usage): (number | null)[] {
  const numbers = figures.map((name) => usage[name] ?? null);
  return numbers.slice(0, 1 + numbers.findLastIndex((number) => number !== null));
}

/** What a run has reserved of its user's budget: for how many steps, how many tokens, and how much money. */
export interface Reservation {
  /** The day on which it counts, as an ISO date (UTC). */
  on: string;
  steps: number;
  tokens: number;
  costMicrodollars: number;
}

/** Without its names. */
export const ShortReservation = z
  .tuple([z.iso.date(), z.number().int(), z.number().int(), z.number().int()])
  .transform(([on, steps, tokens, costMicrodollars]): Reservation => ({ on, steps, tokens, costMicrodollars }));

export const shortReservation = ({ on, steps, tokens, costMicrodollars }: Reservation) => [
  ...[on, steps, tokens, costMicrodollars],
];

/** CallModel's answer as META keeps it: without the ids that META has, and with calls' ids without their run's. */
export const ShortNext = LoopOutput.partial({ conversationId: true, runId: true, segment: true, step: true });
type ShortNext = z.infer<typeof ShortNext>;

export function shortNext({ next, call, calls, execution }: LoopOutput, runId: string): ShortNext {
  const short = (ref: CallRef): CallRef =>
    ref.callId.startsWith(`${runId}.`) ? { ...ref, callId: ref.callId.slice(runId.length) } : ref;
  return { next, call: call && short(call), calls: calls?.map(short), execution };
}

/** Rows from before this have all ids. */
export function wholeNext(
  { call, calls, ...stored }: ShortNext,
  conversationId: string,
  { id: runId, segment, step }: { id: string; segment: number; step: number },
): LoopOutput {
  const whole = (ref: CallRef): CallRef =>
    ref.callId.startsWith('.') ? { ...ref, callId: `${runId}${ref.callId}` } : ref;
  const refs = { ...(call && { call: whole(call) }), ...(calls && { calls: calls.map(whole) }) };
  return { conversationId, runId, segment, step, ...stored, ...refs };
}
