import type { Meta } from '../../core/conversations/rows/meta';
import { addFields } from '../../runtime/log';

/** Has the request's line in the log say which conversation, run and message it is about. */
export function logSubject({ conversationId, run, lastSeq: seq }: Meta): void {
  addFields({ conversationId, runId: run?.id, segment: run?.segment, seq });
}
