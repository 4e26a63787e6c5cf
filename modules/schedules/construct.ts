import { Aws } from 'aws-cdk-lib';
import { partition } from '../../infra/functions/conversation-table';
import { sweepBy } from '../../infra/machines/reconcile-schedule';
import type { VigilModule } from '../../infra/module';

/**
 * Lets agents have `schedules` (docs/agents.md). It has no function of its own: Reconcile applies what the code declares, once an hour and
 * after each deployment.
 *
 * @example
 * ```ts
 * import { schedules } from 'vigil/modules/schedules';
 *
 * // new Vigil(stack, 'Agents', { agents: './agents', modules: [listed] })
 * const listed = schedules();
 * listed.name; // → 'schedules'
 * ```
 */
export const schedules = (): VigilModule => ({
  name: 'schedules',
  deploy({ scope, agents, reconcile, table, variables }) {
    const isUsed = [...agents.agents.values()].some((agent) => (agent.schedules ?? []).length > 0);
    if (!isUsed) return { functions: [] };
    // The functions of schedules may read the app's own variables.
    for (const [name, value] of Object.entries(variables)) reconcile.addEnvironment(name, value);
    // The time zone of a user for whom the code has a schedule.
    table.grant(reconcile, [partition.users], 'GetItem');
    sweepBy(scope, 'Schedules', reconcile, {
      description: 'Applies the schedules that the code declares',
      eventPattern: {
        source: ['aws.cloudformation'],
        detailType: ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': [Aws.STACK_ID],
          'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'UPDATE_ROLLBACK_COMPLETE'] },
        },
      },
    });
    return { functions: [] };
  },
});
