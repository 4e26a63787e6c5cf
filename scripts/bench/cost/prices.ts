/** The usage of a conversation. */
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
  /** The logs of the functions. */
  logBytes: number;
}

/** Dollars in us-east-1, as AWS's pricing pages of each service gave them in November 2026, without free tiers. */
export const price = {
  transition: 0.025 / 1_000,
  durableOperation: 8 / 1_000_000,
  durableGigabyte: 0.25,
  frame: 1 / 1_000_000,
  connectionMinute: 0.25 / 1_000_000,
  invocation: 0.2 / 1_000_000,
  gigabyteSecond: 0.0000133334,
  writeUnit: 0.625 / 1_000_000,
  readUnit: 0.125 / 1_000_000,
  event: 1 / 1_000_000,
  request: 1 / 1_000_000,
  logGigabyte: 0.5,
};

/** The values that the bench does not measure: the length of a model call, and what API Gateway and Step Functions do and log. */
const assumed = {
  modelSeconds: 5,
  modelGigabytes: 0.5,
  /** A message, a ticket, a first read, and what a page is sent. */
  requests: 12,
  bytesOfTransition: 1_200,
  bytesOfRequest: 350,
  /** A page that watches: what it is sent for each model call, rows and a delta every 50 ms, and for how long it is connected. */
  framesOfModelCall: 12 + 100,
  minutesOfModelCall: 0.25,
  /** The journal of a step of another design: a reply, and a tool's result. */
  bytesOfStep: 4_000,
};

/** Each step of the loop of a peer with the same idea, and of a durable function: the model call and the tool. */
const others = { transitionsOfStep: 7, operationsOfStep: 2 };

/** Returns the dollars of Step Functions, and what takes its place elsewhere, for these model calls. */
export const dollarsElsewhere = ({ modelCalls }: Pick<Used, 'modelCalls'>) => ({
  peer: modelCalls * others.transitionsOfStep * price.transition,
  durable:
    modelCalls *
    (others.operationsOfStep * price.durableOperation + (assumed.bytesOfStep / 1e9) * price.durableGigabyte),
});

/** Returns the dollars of the HTTP requests of a conversation, and of a page that watches it. */
export const dollarsOfGateways = ({ modelCalls }: Pick<Used, 'modelCalls'>) => ({
  apiGateway: assumed.requests * price.request,
  webSocket:
    modelCalls * (assumed.framesOfModelCall * price.frame + assumed.minutesOfModelCall * price.connectionMinute),
});

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
