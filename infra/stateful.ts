import { CfnResource } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The logical ids of what must outlive a change of the constructs: data, and the roles with which executions still run.
 * CloudFormation would delete a resource whose id changes. So when a construct moves, its path changes here, and its id
 * stays. The secrets of keys pin theirs themselves (`functions/api-key.ts`).
 */
export const stateful: Readonly<Record<string, string>> = {
  'Conversations/Table': 'ConversationTable',
  'Files/Bucket': 'FilesBucket',
  'Users/Pool': 'UsersPoolBFC35D3B',
  'Users/Client': 'UsersClient3B43F2CF',
  'WebhookKey/Secret': 'WebhookKeySecret96F1C2EF',
  'Events/Bus': 'EventsBus45DE4339',
  'Undelivered/Queue': 'UndeliveredQueue47FA64CB',
  'Page/Files/Bucket': 'PageFilesBucketF0BFE1B6',
  'Machines/AgentLoop/StateMachine': 'AgentLoop',
  'Machines/Timer/StateMachine': 'Timer',
  'Machines/Rollback/StateMachine': 'Rollback',
  'Machines/AgentLoop/Role': 'MachinesAgentLoopStateMachineRole20D88044',
  'Machines/Timer/Role': 'MachinesTimerStateMachineRoleE721EE0A',
  'Machines/Rollback/Role': 'MachinesRollbackStateMachineRole00E6395E',
};

/** Gives the resources below `vigil` their ids of the list, and of those of modules. Some are not there in every deployment. */
export function pinStateful(vigil: Construct, ofModules: readonly Readonly<Record<string, string>>[]): void {
  for (const [path, logicalId] of [stateful, ...ofModules].flatMap((one) => Object.entries(one))) {
    const found = path
      .split('/')
      .reduce<Construct | undefined>((at, id) => at?.node.tryFindChild(id) as Construct, vigil);
    const resource = found?.node.defaultChild;
    if (resource instanceof CfnResource) resource.overrideLogicalId(logicalId);
  }
}
