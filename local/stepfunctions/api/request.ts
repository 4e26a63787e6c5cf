import type { Engine } from '../engine/engine';
import { isObject, type Json, type JsonObject, parseJson } from '../language/json';
import { jsonProblem } from '../language/json-problem';
import { ApiError, validationFailed } from './api-error';

/** An action of the API: takes the request's body, answers with the response's. Throws ApiError. */
export type Action = (engine: Engine, body: JsonObject) => Promise<JsonObject>;

/** Times on the wire are seconds. */
export const seconds = (ms: number): number => ms / 1000;

export function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw validationFailed(`${name} must be a string`);
  return value;
}

export function requiredText(body: JsonObject, name: string): string {
  const value = optionalText(body, name);
  if (value === undefined) {
    throw validationFailed(
      `1 validation error detected: Value null at '${name}' failed to satisfy constraint: Member must not be null`,
    );
  }
  return value;
}

/** A field that has one of these values, or none. */
export function checkOneOf(body: JsonObject, name: string, values: readonly string[]): void {
  const value = optionalText(body, name);
  if (value === undefined || values.includes(value)) return;
  throw validationFailed(
    `1 validation error detected: Value '${value}' at '${name}' failed to satisfy constraint: Member must satisfy enum value set: [${values.join(', ')}]`,
  );
}

/** An ARN of this service, of the given kind: `stateMachine`, `execution`, `activity`. */
export function requiredArn(body: JsonObject, name: string, kind: string): string {
  const arn = requiredText(body, name);
  const parts = arn.split(':');
  if (parts[0] !== 'arn' || parts[2] !== 'states' || parts.length < 7)
    throw new ApiError('InvalidArn', `Invalid Arn: 'Invalid ARN prefix: ${arn}'`);
  if (!kind.split('|').includes(parts[5]!)) {
    throw new ApiError('InvalidArn', `Invalid Arn: 'Resource type not valid in this context: ${parts[5]}'`);
  }
  // `…:stateMachine:name/label` stands for a Distributed Map state, which none of these actions takes.
  if (parts[5] === 'stateMachine' && parts[6]!.includes('/'))
    throw validationFailed(`The ARN of a Distributed Map state is not valid for this operation: '${arn}'`);
  return arn;
}

/** "Names … up to 80 characters", without white space, brackets, wildcards and a few signs. */
export function checkName(name: string): string {
  if (/^[^\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u.test(name)) return name;
  throw new ApiError('InvalidName', `Invalid Name: '${name}'`);
}

/** The ARN of a role. Throws InvalidArn. */
export function checkRole(arn: string): string {
  if (/^arn:[\w-]+:iam::\d+:role\/.+$/.test(arn)) return arn;
  throw new ApiError('InvalidArn', `Invalid Role Arn: '${arn}'`);
}

/** JSON text of at most 256 KiB. */
export function checkJson(text: string, error: string, what: string): string {
  if (Buffer.byteLength(text) > 262_144) {
    throw validationFailed(
      `1 validation error detected: Value at '${what}' failed to satisfy constraint: Member must have length less than or equal to 262144`,
    );
  }
  try {
    parseJson(text);
  } catch (problem) {
    const said = jsonProblem(text)?.message ?? (problem as Error).message;
    throw new ApiError(error, `Invalid State Machine Execution Input: '${said}'`);
  }
  return text;
}

/** A page of a list, and the token of the next one: how many came before it. */
export function page<T>(list: readonly T[], body: JsonObject): { items: T[]; nextToken?: string } {
  const { from, size } = pageBounds(body);
  const more = from + size < list.length;
  return { items: list.slice(from, from + size), ...(more && { nextToken: tokenOf(from + size) }) };
}

/** The same for a list that is read piece by piece: stops reading where the page is full. */
export async function pageOf<T>(
  list: AsyncIterable<T>,
  wanted: (each: T) => boolean,
  body: JsonObject,
): Promise<{ items: T[]; nextToken?: string }> {
  const { from, size } = pageBounds(body);
  const items: T[] = [];
  let seen = 0;
  for await (const each of list) {
    if (!wanted(each)) continue;
    seen += 1;
    if (seen <= from) continue;
    if (items.length === size) return { items, nextToken: tokenOf(from + size) };
    items.push(each);
  }
  return { items };
}

function pageBounds(body: JsonObject, most = 1000, usual = 100): { from: number; size: number } {
  const size = typeof body.maxResults === 'number' && body.maxResults > 0 ? Math.min(body.maxResults, most) : usual;
  const token = optionalText(body, 'nextToken');
  const from = token === undefined ? '0' : Buffer.from(token, 'base64url').toString();
  if (!/^\d+$/.test(from)) throw new ApiError('InvalidToken', `Invalid Token: 'Invalid token'`);
  return { from: Number(from), size };
}

const tokenOf = (from: number): string => Buffer.from(String(from)).toString('base64url');

/** "The number of tags allowed for a resource" */
const mostTags = 50;

/** The tags of a list, beside those that there are. Throws TooManyTags. */
export function tagsOf(list: Json | undefined, present: Record<string, string> = {}): Record<string, string> {
  const tags: Record<string, string> = { ...present };
  for (const tag of Array.isArray(list) ? list.filter(isObject) : [])
    tags[requiredText(tag, 'key')] = optionalText(tag, 'value') ?? '';
  if (Object.keys(tags).length > mostTags)
    throw new ApiError('TooManyTags', `Too many tags: a resource can have ${mostTags}`);
  return tags;
}
