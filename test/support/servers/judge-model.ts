import { openJudge } from '../../../package/eval/ask-judge';

/** Asks the model server of a test, as judges and personas are asked. */
export const judgeAt = (baseURL: string) =>
  openJudge({ baseURL, apiKey: 'k', prices: { 'gpt-6.1-terra': { input: 1, output: 5 } } });

/** A reply of the script that is this object, and what it has used. */
export const structured = (answer: object) => ({
  text: JSON.stringify(answer),
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
});
