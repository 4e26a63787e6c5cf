/** The names of the shipped agents. Tests of these ignore agents that users add. */
export const shippedAgents = [
  'account-manager',
  'bank',
  'calculator',
  'chat',
  'loan-advisor',
  'reminder',
  'researcher',
  'travel',
];
