import { isObject, type Json, type JsonObject } from '../language/json';
import { validationFailed, wrongType } from './api-error';

/** A check of a parameter's value. Returns the broken rule in the words of AWS's validation, or undefined. */
type Constraint = (value: Json | undefined) => string | undefined;

const length =
  (least: number, most: number): Constraint =>
  (value) => {
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'string') throw wrongType(value, 'a String');
    if (value.length < least) return `Member must have length greater than or equal to ${least}`;
    return value.length > most ? `Member must have length less than or equal to ${most}` : undefined;
  };

const range =
  (least: number, most = Number.POSITIVE_INFINITY, fractions = false): Constraint =>
  (value) => {
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'number' || !(fractions || Number.isInteger(value))) throw wrongType(value, 'an Integer');
    if (value < least) return `Member must have value greater than or equal to ${least}`;
    return value > most ? `Member must have value less than or equal to ${most}` : undefined;
  };

const oneOf =
  (...values: string[]): Constraint =>
  (value) => {
    if (value === null || value === undefined) return undefined;
    if (typeof value !== 'string') throw wrongType(value, 'a String');
    return values.includes(value) ? undefined : `Member must satisfy enum value set: [${values.join(', ')}]`;
  };

const flag: Constraint = (value) => {
  if (value !== null && value !== undefined && typeof value !== 'boolean') throw wrongType(value, 'a Boolean');
  return undefined;
};

/** The parameters of all actions: one name means one thing in this API, but for those with their place. */
const constraints: Readonly<Record<string, Constraint>> = {
  name: length(1, 80),
  stateMachineArn: length(1, 256),
  stateMachineVersionArn: length(1, 2000),
  stateMachineAliasArn: length(1, 256),
  executionArn: length(1, 256),
  activityArn: length(1, 256),
  mapRunArn: length(1, 2000),
  resourceArn: length(1, 256),
  roleArn: length(1, 256),
  clientToken: length(1, 64),
  taskToken: length(1, 2048),
  workerName: length(1, 80),
  nextToken: length(1, 3096),
  traceHeader: length(0, 256),
  error: length(0, 256),
  cause: length(0, 32_768),
  definition: length(1, 1_048_576),
  description: length(0, 256),
  versionDescription: length(0, 256),
  maxResults: range(0, 1000),
  maxConcurrency: range(0),
  toleratedFailureCount: range(0),
  toleratedFailurePercentage: range(0, 100, true),
  type: oneOf('STANDARD', 'EXPRESS'),
  'loggingConfiguration.level': oneOf('ALL', 'ERROR', 'FATAL', 'OFF'),
  'encryptionConfiguration.type': oneOf('AWS_OWNED_KEY', 'CUSTOMER_MANAGED_KMS_KEY'),
  includedData: oneOf('ALL_DATA', 'METADATA_ONLY'),
  statusFilter: oneOf('RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE'),
  stateName: length(1, 80),
  errorCausedByState: length(1, 80),
  mapItemReaderData: length(0, 262_144),
  mapIterationFailureCount: range(0),
  retrierRetryCount: range(0),
  severity: oneOf('ERROR', 'WARNING'),
  redriveFilter: oneOf('REDRIVEN', 'NOT_REDRIVEN'),
  key: length(1, 128),
  value: length(0, 256),
  tagKeys: length(1, 128),
  weight: range(0, 100),
  publish: flag,
  enabled: flag,
  includeExecutionData: flag,
  reverseOrder: flag,
  revealSecrets: flag,
};

/** Their values are not repeated in a message. */
const sensitive = new Set(['definition', 'error', 'cause', 'errorCausedByState', 'mapItemReaderData']);
/** Parameters that hold others. */
const structures = new Set([
  'mock',
  'errorOutput',
  'stateConfiguration',
  'loggingConfiguration',
  'tracingConfiguration',
  'encryptionConfiguration',
  'cloudWatchLogsLogGroup',
]);
/** Parameters that are lists of others. */
const lists = new Set(['tags', 'routingConfiguration', 'destinations']);

/** The request's parameters, checked before its action looks at them. Throws SerializationException, or ValidationException with everything that is wrong. */
export function parametersOf(body: Json | undefined): JsonObject {
  if (body === undefined || body === null) return {};
  const parameters = structure(body);
  checkParameters(parameters);
  return parameters;
}

function checkParameters(body: JsonObject): void {
  const problems = problemsOf(body, '');
  if (problems.length === 0) return;
  const count = `${problems.length} validation error${problems.length > 1 ? 's' : ''} detected`;
  throw validationFailed(`${count}: ${problems.join('; ')}`);
}

function problemsOf(fields: JsonObject, at: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    // A program that embeds the engine may leave one undefined.
    if (value === null || value === undefined) return [];
    if (structures.has(name)) return problemsOf(structure(value), `${at}${name}.`);
    if (lists.has(name))
      return list(value).flatMap((each, i) => problemsOf(structure(each), `${at}${name}.${i + 1}.member.`));
    if (name === 'tagKeys')
      return list(value).flatMap((each, i) => problem(name, each, `${at}${name}.${i + 1}.member`));
    return problem(name, value, `${at}${name}`);
  });
}

function problem(name: string, value: Json, at: string): string[] {
  const said = (constraints[at] ?? constraints[name])?.(value);
  if (said === undefined) return [];
  const shown = sensitive.has(name) ? 'Value' : `Value '${String(value)}'`;
  return [`${shown} at '${at}' failed to satisfy constraint: ${said}`];
}

function structure(value: Json): JsonObject {
  if (isObject(value)) return value;
  throw wrongType(value, 'a structure');
}

function list(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  throw wrongType(value, 'a list');
}
