import type { Conversation } from 'vigil-client';
import { asError } from '../../core/base/text/thrown';
import { type AskJudge, agreement, inTerminal, type VerdictPair } from './judge';
import { isHolding } from './report';
import type { Scorer } from './scorers';
import { until } from './until';

type Thumb = VerdictPair['person'];

/** A reply with thumbs. */
export interface RatedReply {
  /** The file of the recording. */
  file: string;
  seq: number;
  /** One for each person who gave one. */
  thumbs: Thumb[];
  /** Up to the reply. */
  conversation: Conversation;
}

/** What a judge says about it: no verdict if its model has not given one. */
export interface JudgedReply extends Pick<RatedReply, 'file' | 'seq' | 'thumbs'> {
  verdict?: Thumb;
  why: string;
}

/** Returns the replies with thumbs, in order. */
export const ratedReplies = (file: string, conversation: Conversation): RatedReply[] =>
  conversation.messages.flatMap((message) => {
    const thumbs = (message.feedback ?? []).flatMap(({ verdict }) => verdict ?? []);
    return thumbs.length > 0 ? [{ file, seq: message.seq, thumbs, conversation: until(conversation, message) }] : [];
  });

/** Asks a judge about each reply once, however many thumbs it has: `up` if the judge holds. One after the other, so that kept answers fit. */
export async function judgedReplies(judge: Scorer, replies: RatedReply[], ask: AskJudge): Promise<JudgedReply[]> {
  const judged: JudgedReply[] = [];
  for (const { conversation, ...reply } of replies) {
    try {
      const score = (await judge.score(conversation, { ask }))!;
      judged.push({ ...reply, verdict: isHolding(score) ? 'up' : 'down', why: score.why });
    } catch (error) {
      judged.push({ ...reply, why: inTerminal(asError(error).message) });
    }
  }
  return judged;
}

/** Returns the lines of a judge in the terminal: how far it agrees, and where it does not. */
export function agreementLines({ name, judge }: Scorer, judged: JudgedReply[]): string[] {
  const of = judge && ` (from grade ${judge.atLeast} of ${judge.scale.length}, ${judge.model})`;
  const pairs = judged.flatMap(({ verdict, thumbs }) =>
    verdict ? thumbs.map((person) => ({ judge: verdict, person })) : [],
  );
  return [`${inTerminal(name)}${of ?? ''}`, `  ${figuresOf(pairs)}`, ...judged.flatMap(differing)];
}

function figuresOf(pairs: VerdictPair[]): string {
  if (pairs.length === 0) return 'no pairs';
  const { share, kappa } = agreement(pairs);
  const constant = (['judge', 'person'] as const)
    .filter((who) => new Set(pairs.map((pair) => pair[who])).size === 1)
    .map((who) => `${who === 'judge' ? 'the judge always says' : 'people always say'} ${pairs[0]![who]}`);
  const shown = kappa === undefined ? `no kappa: ${constant.join(', and ')}` : `kappa ${kappa.toFixed(2)}`;
  return `${pairs.length} ${pairs.length === 1 ? 'pair' : 'pairs'}, ${share.toFixed(2)} agree, ${shown}`;
}

/** One for each pair that disagrees. */
function differing({ file, seq, thumbs, verdict, why }: JudgedReply): string[] {
  const at = `    ${file}, seq ${seq}`;
  if (!verdict) return [`${at}: no verdict: ${why}`];
  return thumbs
    .filter((person) => person !== verdict)
    .map((person) => `${at}: judge ${verdict}, person ${person}. ${why}`);
}
