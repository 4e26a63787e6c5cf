/** The usage of a conversation. */
export interface Used {
  modelCalls: number;
  transitions: number;
  /** Express executions, and their duration as they report it. */
  expressRequests: number;
  expressGigabyteSeconds: number;
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
  expressRequest: 1 / 1_000_000,
  expressGigabyteSecond: 0.00001667,
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
  /**
   * Of an Express execution: 64 MB, the unit that is billed. AWS counts 50 MB, the size of the definition, and the payload for each
   * iteration of a Map: some hundred kilobytes in all.
   */
  expressGigabytes: 0.0625,
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

/** Returns the dollars of Step Functions alone. */
export const dollarsOfStates = ({ transitions, expressRequests, expressGigabyteSeconds }: Used): number =>
  transitions * price.transition +
  expressRequests * price.expressRequest +
  expressGigabyteSeconds * price.expressGigabyteSecond;

/** Returns the dollars by which a second of a model call makes a step of an Express execution dearer. */
export const dollarsOfModelSecond = assumed.expressGigabytes * price.expressGigabyteSecond;

/** An Express execution begins no model call later than that, and is followed by another: the states that start it, CallModel, Route and the tool's state again. */
const [secondsOfExpress, transitionsBetween] = [240, 4];

/** Returns the dollars by which the time of a run's model calls makes its Express executions dearer. */
export function dollarsOfModelTime(modelCalls: number, modelSeconds: number): number {
  const seconds = modelCalls * modelSeconds;
  const more = Math.max(0, Math.ceil(seconds / secondsOfExpress) - 1);
  return seconds * dollarsOfModelSecond + more * (transitionsBetween * price.transition + price.expressRequest);
}

/**
 * Returns the dollars of Step Functions for a million steps of Express executions.
 *
 * @param measured the same, for a model that answers at once.
 * @param steps of a run, each with a model call. Its answer is one more.
 * @param modelSeconds of a call.
 */
export const millionStepsInExpress = (measured: number, steps: number, modelSeconds: number): number =>
  measured + (dollarsOfModelTime(steps + 1, modelSeconds) / steps) * 1e6;

/** Returns the longest model call, in tenths of a second, with which a million steps cost no more than that; undefined if they do anyway. */
export function longestModelCall(measured: number, steps: number, dollars: number): number | undefined {
  if (measured > dollars) return undefined;
  let tenths = 0;
  while (millionStepsInExpress(measured, steps, (tenths + 1) / 10) <= dollars) tenths += 1;
  return tenths / 10;
}

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
    // The model's time is in an Express execution, too.
    stepFunctions:
      dollarsOfStates(used) +
      (used.expressRequests > 0 ? dollarsOfModelTime(used.modelCalls, assumed.modelSeconds) : 0),
    lambda: used.invocations * price.invocation + (used.gigabyteSeconds + modelSeconds) * price.gigabyteSecond,
    dynamodb: used.writeUnits * price.writeUnit + used.readUnits * price.readUnit,
    others: assumed.requests * price.request + used.events * price.event,
    logs: (logged / 1e9) * price.logGigabyte,
  };
  return { ...by, all: Object.values(by).reduce((sum, one) => sum + one, 0) };
}
