import type { PendingResume } from '../../core/conversations/conversation/send-message';
import type { Meta } from '../../core/conversations/rows/meta';
import type { Actions } from './deployment';

/** Does what a message, an answer or a delivery has led to. Relay does it if this process dies before. */
export async function carryOut(
  actions: Actions,
  conversationId: string,
  { meta, resumes }: { meta: Meta; resumes: readonly PendingResume[] },
): Promise<void> {
  await actions.driveRun(meta);
  for (const one of resumes) await actions.resume(conversationId, one);
}
