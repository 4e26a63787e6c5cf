import { addFields, log } from '../../runtime/log';
import type { Actions } from './deployment';

/** Wraps the actions: a failure is logged and left to Relay. The request's line says what they are about. */
export function withRelayFallback({ driveRun, driveTimer, endDeleted, resume, attempts }: Actions): Actions {
  async function attempt(action: Promise<void>): Promise<void> {
    try {
      await action;
    } catch (error) {
      log.warn('left to the relay', { error: (error as Error).name });
    }
  }
  return {
    attempts,
    driveRun(meta) {
      const { conversationId, run, lastSeq: seq } = meta;
      addFields({ conversationId, runId: run?.id, segment: run?.segment, seq });
      return attempt(driveRun(meta));
    },
    driveTimer: (timer) => attempt(driveTimer(timer)),
    endDeleted: (conversationId) => attempt(endDeleted(conversationId)),
    resume: async (conversationId, pending) => {
      addFields({ conversationId, callbackId: pending.id });
      if (pending.taskTokens.length > 0) await attempt(resume(conversationId, pending));
    },
  };
}
