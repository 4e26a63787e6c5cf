import { isObject, type Json, type JsonObject, parseJson } from '../language/json';

/** A request that the service refuses before it looks at anything of its own. */
class Refused extends Error {
  readonly status = 400;
  constructor(
    override readonly name: string,
    message: string,
  ) {
    super(message);
  }
}

/** Required parameters of each action of DynamoDB. */
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
  const { TopicArn, MessageGroupId, Name } = parameters;
  if (service === 'secretsmanager' && action === 'CreateSecret' && !/^[\w/+=.@!-]+$/.test(String(Name)))
    throw new Refused(
      'ValidationException',
      'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
    );
  if (service === 'sns' && action === 'Publish' && String(TopicArn).endsWith('.fifo') && MessageGroupId === undefined)
    throw new Refused(
      'InvalidParameter',
      'Invalid parameter: The MessageGroupId parameter is required for FIFO topics',
    );
}

/** Returns the problem that EventBridge's answer reports for an entry; undefined if there is none. */
export function entryProblem(entry: JsonObject): JsonObject | undefined {
  const missing = ['Source', 'DetailType', 'Detail'].find((name) => (entry[name] ?? '') === '');
  if (missing !== undefined)
    return {
      ErrorCode: 'InvalidArgument',
      ErrorMessage: `Parameter ${missing} is not valid. Reason: ${missing} is a required argument.`,
    };
  return isDetail(entry.Detail!) ? undefined : { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}

/** A detail is the text of a JSON object. */
function isDetail(detail: Json): boolean {
  try {
    return isObject(parseJson(String(detail)));
  } catch {
    return false;
  }
}
