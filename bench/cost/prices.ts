/** What a conversation has used. */
export interface Used {
  modelCalls: number;
  transitions: number;
  invocations: number;
  /** Of the functions' own work, without the time in which a model answers. */
  gigabyteSeconds: number;
  writeUnits: number;
  readUnits: number;
  /** Events on the bus. */
  events: number;
  /** What the functions have logged. */
  logBytes: number;
}

/** Dollars in us-east-1, as AWS's pricing pages of each service gave them in November 2026, without free tiers. */
const price = {
  transition: 0.025 / 1_000,
  invocation: 0.2 / 1_000_000,
  gigabyteSecond: 0.0000133334,
  writeUnit: 0.625 / 1_000_000,
  readUnit: 0.125 / 1_000_000,
  event: 1 / 1_000_000,
  request: 1 / 1_000_000,
  logGigabyte: 0.5,
};

/** What the bench does not measure: the length of a model call, and what API Gateway and Step Functions do and log. */
export const assumed = {
  modelSeconds: 5,
  modelGigabytes: 0.5,
  /** A message, a ticket, a first read, and what a page is sent. */
  requests: 12,
  bytesOfTransition: 1_200,
  bytesOfRequest: 350,
};

/** Returns the dollars of a conversation by service, without the model's. */
export function dollarsOf(used: Used) {
  const modelSeconds = used.modelCalls * assumed.modelSeconds * assumed.modelGigabytes;
  const logged =
    used.logBytes + used.transitions * assumed.bytesOfTransition + assumed.requests * assumed.bytesOfRequest;
  const by = {
    stepFunctions: used.transitions * price.transition,
    lambda: used.invocations * price.invocation + (used.gigabyteSeconds + modelSeconds) * price.gigabyteSecond,
    dynamodb: used.writeUnits * price.writeUnit + used.readUnits * price.readUnit,
    others: assumed.requests * price.request + used.events * price.event,
    logs: (logged / 1e9) * price.logGigabyte,
  };
  return { ...by, all: Object.values(by).reduce((sum, one) => sum + one, 0) };
}
