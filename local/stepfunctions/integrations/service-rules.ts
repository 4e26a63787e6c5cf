import { isObject, type Json, type JsonObject } from '../language/json';

/** A request that the service refuses before it looks at anything of its own. */
export class Refused extends Error {
  readonly status = 400;
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}

/** What each action of DynamoDB cannot do without. */
const dynamodb: Record<string, string[]> = {
  PutItem: ['TableName', 'Item'],
  GetItem: ['TableName', 'Key'],
  UpdateItem: ['TableName', 'Key'],
  DeleteItem: ['TableName', 'Key'],
};

/** Checks that stand-ins for a service often lack. Throws Refused. */
export function checkRequest(service: string, action: string, parameters: JsonObject): void {
  const missing =
    service === 'dynamodb' ? (dynamodb[action] ?? []).filter((name) => (parameters[name] ?? null) === null) : [];
  if (missing.length > 0) {
    const problems = missing.map(
      (name) =>
        `Value null at '${name[0]!.toLowerCase()}${name.slice(1)}' failed to satisfy constraint: Member must not be null`,
    );
    const count = `${problems.length} validation error${problems.length > 1 ? 's' : ''} detected`;
    throw new Refused('ValidationException', `${count}: ${problems.join('; ')}`);
  }
  const { TopicArn, MessageGroupId } = parameters;
  if (service === 'sns' && action === 'Publish' && String(TopicArn).endsWith('.fifo') && MessageGroupId === undefined)
    throw new Refused(
      'InvalidParameter',
      'Invalid parameter: The MessageGroupId parameter is required for FIFO topics',
    );
}

/** What EventBridge answers to entries of which some are malformed; undefined where all are well formed. */
export function malformedEntries(entries: readonly Json[]): JsonObject | undefined {
  const answers = entries.map(
    (entry): JsonObject =>
      isObject(entry) && isDetail(entry.Detail)
        ? {}
        : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' },
  );
  const failed = answers.filter((answer) => 'ErrorCode' in answer).length;
  return failed === 0 ? undefined : { Entries: answers, FailedEntryCount: failed };
}

/** A detail is the text of a JSON object; a missing one is told by another error. */
function isDetail(detail: Json | undefined): boolean {
  if (typeof detail !== 'string') return true;
  try {
    return isObject(JSON.parse(detail) as Json);
  } catch {
    return false;
  }
}
