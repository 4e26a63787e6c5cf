import { type MarkedEffect, tableEffect } from '../../core/conversations/agent/table-effect';
import type { ToolContext } from '../../core/conversations/agent/tool';
import { cancelTimerRows, isOpenTimer, readTimer } from '../../core/conversations/calls/timer';

/**
 * Undoes a call that created a timer. A timer that is finished or already cancelled does not change. It is what `compensate` returns.
 *
 * @example
 * ```ts
 * import { defineTool, tableEffect } from 'vigil';
 * import { cancelOwnTimer } from 'vigil/tools/timers/timers';
 * import * as z from 'zod';
 *
 * export const wakeUp = defineTool({
 *   name: 'wake_up',
 *   description: 'Wakes the user in an hour.',
 *   ...{ input: z.object({}), output: z.object({ timer_id: z.string() }), effect: 'table' },
 *   async execute(_, { callId, now }) {
 *     const timer = { kind: 'once', at: new Date(now.getTime() + 3_600_000), text: 'Wake up!' } as const;
 *     return tableEffect({ output: { timer_id: callId }, timer });
 *   },
 *   // If the run is rolled back, so is the timer.
 *   compensate: (_input, _output, context) => cancelOwnTimer(context),
 * });
 * ```
 */
export async function cancelOwnTimer({ table, conversationId, callId }: ToolContext): Promise<MarkedEffect<void>> {
  const timer = await readTimer(table, conversationId, callId);
  return tableEffect({ output: undefined, rows: timer && isOpenTimer(timer) ? cancelTimerRows(timer) : [] });
}
