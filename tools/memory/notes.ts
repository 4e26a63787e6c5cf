/** The key of an agent's note. The agent's name comes from the call's row, not from the model. */
export const noteKey = (agent: string, callId: string): string => `NOTE#${agent}#${callId}`;
