import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deployedPrices } from '../../runtime/prices';
import { type JudgeModel, openJudge } from '../eval/ask-judge';
import { openRecordedReplies, type RecordedReplies } from '../eval/recorded-replies';
import { dollars } from '../eval/report';

/** What a model has said is committed with the cases. */
export const repliesFolder = join('evals', '.replies');
export const noKey = 'none';
const openAi = 'https://api.openai.com/v1';

/** Opens the kept replies, if there are any, or a key records them. */
export async function openReplies(): Promise<RecordedReplies | undefined> {
  const { OPENAI_API_KEY, OPENAI_BASE_URL = openAi } = process.env;
  const provider = OPENAI_API_KEY ? OPENAI_BASE_URL.replace(/\/$/, '') : undefined;
  if (!provider && !existsSync(repliesFolder)) return undefined;
  return openRecordedReplies({ folder: repliesFolder, provider });
}

export const judgeBy = ({ url }: RecordedReplies): JudgeModel =>
  openJudge({ baseURL: url, apiKey: process.env.OPENAI_API_KEY ?? noKey, prices: deployedPrices() });

export const countsOf = ({ counts: { kept, asked, missing } }: RecordedReplies): string =>
  `${kept} replies were kept, ${asked} were asked for${missing > 0 ? `, ${missing} were missing: set OPENAI_API_KEY to record them` : ''}.`;

/** Says what judges have cost. */
export const judgedWords = ({ used }: JudgeModel, replies: RecordedReplies): string =>
  `Judges: ${used().steps} questions, ${dollars(used().costMicrodollars)}. ${countsOf(replies)}`;
