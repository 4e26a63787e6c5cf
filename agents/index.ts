import { registry } from '../core/registry';
import { reminderAgent } from './reminder-agent';

/** The agents of this deployment. */
export const shipped = registry([reminderAgent]);
