import { isDeepStrictEqual } from 'node:util';
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client';
import type { ServerAnswer, ServerQuestion } from '../../core/base/state/isolated-call';
import { AsksUser } from '../../core/base/text/errors';

/**
 * Answers a server's questions in the middle of a call with what the user has answered to the same ones before, each once. To the first
 * other one the server gets `cancel`, which ends its work, and the user is asked.
 */
export function answering(answers: ServerAnswer[] = []) {
  const left = [...answers];
  let asked: ServerQuestion | undefined;
  return {
    answer({ message, requestedSchema }: ElicitRequestFormParams): ElicitResult {
      const form = requestedSchema as ServerQuestion['form'];
      const known = left.findIndex((one) => one.message === message && isDeepStrictEqual(one.form, form));
      if (known < 0 || asked) {
        asked ??= { message, form };
        return { action: 'cancel' };
      }
      const [{ content }] = left.splice(known, 1) as [ServerAnswer];
      return { action: 'accept', content: content as ElicitResult['content'] };
    },
    /** @throws AsksUser with the question that has no answer yet. */
    rethrow() {
      if (asked) throw new AsksUser(asked);
    },
  };
}
