import { isObject, type JsonObject } from '../language/json';
import { ApiError, validationFailed } from './api-error';

const kept = ['loggingConfiguration', 'tracingConfiguration', 'encryptionConfiguration'] as const;

/** Returns a state machine's settings beside its definition and role; stored and described, without effect here. */
export function settingsOf(body: JsonObject): JsonObject {
  return Object.fromEntries(kept.filter((name) => isObject(body[name])).map((name) => [name, body[name]!]));
}

/** Throws what AWS throws for logging and versions that make no sense. */
export function checkSettings(body: JsonObject): void {
  const logging = body.loggingConfiguration;
  if (isObject(logging)) checkLogging(logging);
  if (body.versionDescription !== undefined && body.publish !== true) {
    throw validationFailed('Version description can only be set when publish is true');
  }
}

function checkLogging(logging: JsonObject): void {
  const { level, destinations } = logging;
  if (level === undefined && destinations === undefined) return;
  const invalid = (reason: string) =>
    new ApiError('InvalidLoggingConfiguration', `Invalid Logging Configuration: ${reason}`);
  const list = Array.isArray(destinations) ? destinations : [];
  if (level !== undefined && level !== 'OFF' && list.length !== 1)
    throw invalid('Must specify exactly one Log Destination.');
  if (list.length > 1) throw invalid('Must specify exactly one Log Destination.');
  for (const destination of list) {
    const group = isObject(destination) ? destination.cloudWatchLogsLogGroup : undefined;
    const arn = isObject(group) ? group.logGroupArn : undefined;
    if (typeof arn !== 'string' || !arn.endsWith(':*'))
      throw invalid("Log Group ARN must be provided with '*' qualifier.");
  }
}
