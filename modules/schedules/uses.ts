import type { NewCode, Said } from '../../core/conversations/check/finding';
import type { DeclaredSchedule } from './rows';

/** What a schedule that was applied means to the code that is to be deployed, for `vigil check`. */
export function uses({ agent, name, conversationId, removed }: DeclaredSchedule, { agents, modules }: NewCode): Said[] {
  const declared = agents.get(agent)?.schedules?.some((one) => one.name === name);
  if (removed || declared) return [];
  const isListed = modules.includes('schedules');
  const why = `no agent declares the schedule ${JSON.stringify(`${agent}/${name}`)}`;
  return [
    {
      verdict: 'changes',
      conversationId,
      field: agents.has(agent) ? 'name' : 'agent',
      happens: isListed
        ? `its timer is cancelled: ${why}`
        : `its timer goes on, and nothing cancels it: ${why}, and the app does not list the module schedules`,
      todo: isListed
        ? 'declare it again if that is not meant'
        : 'deploy once with the module and without the schedule, or let its user cancel the timer',
    },
  ];
}
