import { registry } from '../core/registry';
import { reminderAgent } from './reminder-agent';
import { travelAgent } from './travel-agent';

/** The agents of this deployment. */
export const shipped = registry([reminderAgent, travelAgent]);
