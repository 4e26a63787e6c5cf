import { type MarkedEffect, tableEffect } from '../../core/agent/table-effect';
import type { ToolContext } from '../../core/agent/tool';
import { cancelTimerRows, readTimer } from '../../core/calls/timer';

/** Undoes a call that created a timer. A timer that is finished or already cancelled does not change. */
export async function cancelOwnTimer({ table, conversationId, callId }: ToolContext): Promise<MarkedEffect<void>> {
  const timer = await readTimer(table, conversationId, callId);
  return tableEffect({ output: undefined, rows: timer?.status === 'active' ? cancelTimerRows(timer) : [] });
}
