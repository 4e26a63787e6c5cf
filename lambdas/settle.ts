import type { EventBridgeEvent } from 'aws-lambda';
import * as z from 'zod';
import { SegmentInput } from '../core/loop-state';
import { errorWords } from '../core/open-calls';
import { settleRun } from '../core/store/run';
import { tableOfDeployment } from './environment';
import { log } from './log';

const table = tableOfDeployment();

/** The part of a "Step Functions Execution Status Change" event that we read. */
const StatusChange = z.object({
  status: z.enum(['FAILED', 'TIMED_OUT', 'ABORTED']),
  input: z.string(),
  error: z.string().nullish(),
  cause: z.string().nullish(),
});

/** Ends the run of an execution that failed, timed out or was stopped from outside. May be told twice, or late. */
export async function handler(event: EventBridgeEvent<string, unknown>): Promise<void> {
  const change = StatusChange.parse(event.detail);
  const at = SegmentInput.parse(JSON.parse(change.input));
  const settled = await settleRun(table, at, outcomeOf(change), new Date());
  log.info('settle', { runId: at.runId, segment: at.segment, status: change.status, settled });
}

function outcomeOf({ status, error, cause }: z.infer<typeof StatusChange>): Parameters<typeof settleRun>[2] {
  if (status === 'ABORTED') return { status: 'cancelled', reason: 'The execution was stopped from outside.' };
  if (status === 'TIMED_OUT') return { status: 'failed', reason: 'The execution took longer than it may.' };
  return {
    status: 'failed',
    reason: error ? errorWords({ Error: error, Cause: cause ?? '' }) : 'The execution failed.',
  };
}
