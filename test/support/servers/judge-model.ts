import { openJudge } from '../../../package/eval/ask-judge';

/** Asks the model server of a test, as judges and personas are asked. */
export const judgeAt = (baseURL: string) =>
  openJudge({ baseURL, apiKey: 'k', prices: { 'gpt-6.1-terra': { input: 1, output: 5 } } });

/** Asks no other provider meanwhile than this server, and with no other key. */
export async function withProvider<Done>(
  url: string,
  key: string | undefined,
  deed: () => Promise<Done>,
): Promise<Done> {
  const names = ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] as const;
  const set = (values: (string | undefined)[]) => {
    for (const [index, name] of names.entries()) {
      if (values[index] === undefined) delete process.env[name];
      else process.env[name] = values[index];
    }
  };
  const before = names.map((name) => process.env[name]);
  set([key, url]);
  try {
    return await deed();
  } finally {
    set(before);
  }
}

/** A reply of the script that is this object, and what it has used. */
export const structured = (answer: object) => ({
  text: JSON.stringify(answer),
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
});
