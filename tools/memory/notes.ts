/** Each agent's own, by its name, which comes from our records and not from the model. */
export const noteKey = (agent: string, callId: string): string => `NOTE#${agent}#${callId}`;
