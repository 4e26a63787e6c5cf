/** The agents of this repository, by name. A test of what ships is not about an agent that somebody adds. */
export const shippedAgents = [
  ...['account-manager', 'bank', 'calculator', 'chat'],
  ...['loan-advisor', 'reminder', 'researcher', 'travel'],
];
