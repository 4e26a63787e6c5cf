import { agentField as schedules } from './schedules/agent-field';

/** The fields of agents that modules bring. Definitions load them: they import no client. */
export const agentFields = [schedules];
