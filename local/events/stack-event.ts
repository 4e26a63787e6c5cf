import { randomUUID } from 'node:crypto';
import type { Clock } from 'vigil-stepfunctions';
import { stackIdOf, type Template } from '../template/template';

export type StackStatus = 'CREATE_COMPLETE' | 'UPDATE_COMPLETE';

/**
 * Returns the event that CloudFormation puts on the default bus when a deployment ends. Each start of the local cloud is one.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html
 */
export function stackEvent({ place }: Template, status: StackStatus, clock: Pick<Clock, 'now'>): object {
  const stackId = stackIdOf(place);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'CloudFormation Stack Status Change',
    source: 'aws.cloudformation',
    account: place.accountId,
    time: new Date(clock.now()).toISOString(),
    region: place.region,
    resources: [stackId],
    detail: { 'stack-id': stackId, 'status-details': { status, 'status-reason': '' }, 'client-request-token': '' },
  };
}
