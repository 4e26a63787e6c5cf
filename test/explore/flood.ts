import type { Agent } from '../../core/conversations/agent/agent';
import { sendMessage } from '../../core/conversations/conversation/send-message';
import type { Person } from '../../core/conversations/members/role';
import type { Table } from '../../core/conversations/store/table';
import type { World } from './world';

type Api = (
  name: string,
  work: (table: Table, agents: ReadonlyMap<string, Agent>, now: Date) => Promise<unknown>,
) => Promise<boolean>;

/** More than one transaction marks as read. */
const many = 45;

/** While a run waits, its user writes more than one transaction can close. */
export async function flood(world: World, api: Api, conversationId: string, user: Person): Promise<void> {
  if (world.table.row({ pk: `C#${conversationId}`, sk: 'META' })?.status !== 'waiting') return;
  world.count('a flood of messages');
  await api('flood', async (table, agents, now) => {
    for (let number = 0; number < many; number++)
      await sendMessage(table, agents, conversationId, { user, text: `Flood ${number}` }, now);
  });
}
