import { ConversationBusy } from '../../base/text/errors';

const attempts = 25;

/**
 * Reads, decides and writes until the write holds, because what it depends on may change in between.
 *
 * @param busy a sentence for people about what keeps changing.
 * @param decide returns undefined if its write did not hold.
 * @throws ConversationBusy after many conflicts.
 */
export async function retryOnConflict<Answer extends object | boolean>(
  busy: string,
  decide: () => Promise<Answer | undefined>,
): Promise<Answer> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const answer = await decide();
    if (answer !== undefined) return answer;
    await pause(attempt);
  }
  throw new ConversationBusy(`${busy} Try again.`);
}

/** Waits before the next attempt: longer each time, with jitter. */
export const pause = (attempt: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
