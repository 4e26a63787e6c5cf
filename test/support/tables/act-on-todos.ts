import type { SFNClient } from '@aws-sdk/client-sfn';
import type { Registry } from '../../../core/conversations/agent/registry';
import { readKind, type Table } from '../../../core/conversations/store/table';
import { actOnRow } from '../../../lambdas/todos';

/** Does what is to be done in a conversation, as Relay does, for executions that do not exist. */
export async function actOnTodos(table: Table, conversationId: string, registry: Registry): Promise<void> {
  const client = { send: async () => ({}) } as unknown as SFNClient;
  for (const machine of ['STATE', 'TIMER', 'ROLLBACK'])
    process.env[`${machine}_MACHINE_ARN`] ??= `arn:aws:states:eu-central-1:000000000000:stateMachine:${machine}`;
  for (const { pk, sk } of (await readKind(table, conversationId, 'todos')) as { pk: string; sk: string }[])
    await actOnRow({ client, table, registry }, { pk, sk });
}
