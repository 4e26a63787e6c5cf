import { bankAgent } from '../../../agents/bank-agent';
import { loanAdvisorAgent } from '../../../agents/loan-advisor-agent';
import { registry } from '../../../core/conversations/agent/registry';
import { front, side } from '../team';

/** The same teams after a deployment that removed `back` and the account manager. */
export const shipped = registry([
  { ...front, handOffs: ['side'] },
  side,
  { ...bankAgent, handOffs: ['loan-advisor'] },
  loanAdvisorAgent,
]);
