import * as z from 'zod';
import { clip } from '../text/clip';

/** What is known of a model that does not answer. META keeps it by the model's maker, until the model answers. */
export const ModelOutage = z.object({
  /** The first of its failures in a row; or the start or retry of the run, if that is later. */
  since: z.iso.datetime(),
  /** The number of failures in a row. */
  failures: z.number().int(),
  /** The last failure, in words for people. */
  reason: z.string(),
  /** No step of the conversation asks the model before this time. */
  nextAt: z.iso.datetime(),
  /** Its server asks not to be asked before. It holds also if a person asks for the next attempt now. */
  notBefore: z.iso.datetime().optional(),
  /** The next model of the agent's list is asked instead. */
  isOut: z.literal(true).optional(),
  /** To wait is of no use: the model refuses the key, or is not known, or its replies are paid and cannot be used. */
  isFinal: z.literal(true).optional(),
  /** The number of these failures that may have been paid: replies that cannot be read, or that run out of time. */
  paid: z.number().int().optional(),
});
export type ModelOutage = z.infer<typeof ModelOutage>;

/** By the maker of the model, see `AboutModel`. */
export const ModelOutages = z.record(z.string(), ModelOutage);
export type ModelOutages = z.infer<typeof ModelOutages>;

/** The wait of a run for a model that does not answer, as people see it. */
export const ModelWait = z.object({
  /** The model that is asked next. */
  model: z.string(),
  since: z.iso.datetime(),
  /** Why it did not answer, in words for people. */
  reason: z.string(),
  /** The time of the next attempt. If it has passed, the attempt is in progress. */
  nextAt: z.iso.datetime(),
});
export type ModelWait = z.infer<typeof ModelWait>;

/** A model that the step would have asked before the one that answered, and why it did not answer. */
export const PassedOver = z.object({ model: z.string(), since: z.iso.datetime(), reason: z.string() });
export type PassedOver = z.infer<typeof PassedOver>;

/** A failure of a model or its server. */
export interface ModelFailure {
  reason: string;
  /** The server asks not to be asked again before. */
  notBefore?: Date;
  /** It does not pass soon: a person has to act. */
  isLasting: boolean;
  /** The model refuses the deployment, not the request. */
  isRefusal: boolean;
  /** It may have been paid. */
  isPaid: boolean;
}

/** The pauses double from the first to the longest. A model that is back is found within a quarter of an hour. */
const firstPauseMs = 2_000;
const longestPauseMs = 900_000;
/** A run waits so long for models that do not answer. An outage of a day and a weekend fit. */
const patienceMs = 3 * 86_400_000;
/** After so many failures in a row, the next model is asked. */
const mostFailures = 3;
/** Or at once, if the server asks for a longer pause than this. */
const longestHoldMs = 60_000;
/** A model that nobody has asked for so long begins anew. */
const forgottenAfterMs = 86_400_000;
/** Each of them is paid. */
const mostPaid = 3;
const reasonBytes = 200;
/** META stays small. More models than an agent has, and those of agents before it. */
const mostKept = 8;

/**
 * Adds a failure to what is known of a model. This is the only rule by which a model is asked again: pauses double, each between its half
 * and its whole, and none ends before the server allows.
 *
 * @param random from 0 to 1, so that runs that have failed together do not ask together.
 */
export function outageAfter(
  before: ModelOutage | undefined,
  { reason, notBefore, isLasting, isRefusal, isPaid }: ModelFailure,
  { now, random }: { now: Date; random: number },
): ModelOutage {
  const known = before && isCurrent(before, now) ? before : undefined;
  const failures = (known?.failures ?? 0) + 1;
  const paid = (known?.paid ?? 0) + Number(isPaid);
  const half = (isLasting ? longestPauseMs : Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1))) / 2;
  const asked = notBefore?.getTime() ?? 0;
  const isOut = known?.isOut || isLasting || failures >= mostFailures || asked - now.getTime() > longestHoldMs;
  return {
    since: known?.since ?? now.toISOString(),
    failures,
    reason: clip(reason, { bytes: reasonBytes }),
    nextAt: new Date(Math.ceil(Math.max(now.getTime() + half, asked) + random * half)).toISOString(),
    ...(notBefore && notBefore > now && { notBefore: notBefore.toISOString() }),
    ...(isOut && { isOut }),
    ...((isRefusal || paid >= mostPaid) && { isFinal: true }),
    ...(paid > 0 && { paid }),
  };
}

/** Whether the next failure continues it. */
const isCurrent = ({ nextAt }: ModelOutage, now: Date): boolean =>
  now.getTime() - Date.parse(nextAt) < forgottenAfterMs;

/** Whether the run does not wait for it. */
export const isHopeless = ({ isFinal, since, nextAt }: ModelOutage): boolean =>
  isFinal === true || Date.parse(nextAt) - Date.parse(since) > patienceMs;

/** Returns what still matters of it. */
export const currentOutages = (outages: ModelOutages | undefined, now: Date): ModelOutages =>
  Object.fromEntries(
    Object.entries(outages ?? {})
      .filter(([, one]) => isCurrent(one, now))
      .sort(([, a], [, b]) => (a.nextAt < b.nextAt ? 1 : -1))
      .slice(0, mostKept),
  );

/**
 * Returns what the next run, or the retry of a failed one, knows of the models: its patience begins anew, and it asks at once what only a
 * person could repair.
 */
export function carriedOutages(outages: ModelOutages | undefined, now: Date): ModelOutages | undefined {
  const carried = Object.entries(currentOutages(outages, now)).filter(([, { isFinal }]) => !isFinal);
  if (carried.length === 0) return undefined;
  return Object.fromEntries(carried.map(([maker, one]) => [maker, { ...one, since: now.toISOString() }]));
}

/** Returns what is known of the models if a person asks for the next attempt now: no pause is left but those that servers have asked for. */
export function withoutPauses(outages: ModelOutages | undefined, now: Date): ModelOutages {
  const at = now.toISOString();
  const next = ({ nextAt, notBefore = at }: ModelOutage) => [nextAt, notBefore > at ? notBefore : at].sort()[0]!;
  return Object.fromEntries(
    Object.entries(outages ?? {}).map(([maker, one]) => [maker, { ...one, nextAt: next(one) }]),
  );
}

/** Returns what is left when a model has answered. */
export function withoutOutage(outages: ModelOutages | undefined, maker: string | undefined): ModelOutages | undefined {
  const left = Object.entries(outages ?? {}).filter(([of]) => of !== maker);
  return left.length > 0 ? Object.fromEntries(left) : undefined;
}

/** Why a run has failed that no model has answered. */
export function hopelessReason(models: readonly (ModelOutage & { model: string })[]): string {
  const times = ({ failures }: ModelOutage) => (failures > 1 ? `, ${failures} times in a row` : '');
  const one = (outage: ModelOutage) =>
    outage.isFinal && (outage.paid ?? 0) < mostPaid
      ? outage.reason
      : `${outage.reason} It has failed since ${outage.since}${times(outage)}.`;
  if (models.length === 1) return one(models[0]!);
  return `No model answers. ${models.map((outage) => `${outage.model}: ${one(outage)}`).join(' ')}`;
}
