import { createHash } from 'node:crypto';
import type { Engine } from '../engine/engine';
import { canonicalText, isObject, type Json, type JsonObject, parseJson } from '../language/json';
import { jsonProblem } from '../language/json-problem';
import { ApiError, validationFailed, wrongType } from './api-error';

/** An action of the API: takes the request's body, answers with the response's. Throws ApiError. */
export type Action = (engine: Engine, body: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;

/** Times on the wire are seconds. */
export const seconds = (ms: number): number => ms / 1000;

export function optionalText(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(value, 'a String');
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

/** An entry's position in its list, and the list's sort key. Entries that come and go around it do not change it. */
export type Position = readonly (number | string)[];

function comparePositions(a: Position, b: Position): number {
  for (const [i, part] of a.entries()) {
    const other = b[i]!;
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
}

export interface Page<T> {
  items: T[];
  /** Names the page's last entry. */
  nextToken?: string;
}

/** A page of a list, in the order of its positions. */
export function page<T>(list: readonly T[], body: JsonObject, positionOf: (each: T) => Position): Page<T> {
  const { after, size } = pageBounds(body);
  const ordered = list
    .map((each) => ({ each, position: positionOf(each) }))
    .filter(({ position }) => after === undefined || comparePositions(position, after) > 0)
    .sort((a, b) => comparePositions(a.position, b.position));
  const items = ordered.slice(0, size).map(({ each }) => each);
  return { items, ...(ordered.length > size && { nextToken: tokenOf(body, ordered[size - 1]!.position) }) };
}

/** The same for a list that is read piece by piece, from behind a position: stops reading where the page is full. */
export async function pageOf<T>(
  list: (after: Position | undefined) => AsyncIterable<T>,
  body: JsonObject,
  wanted: (each: T) => boolean,
  positionOf: (each: T) => Position,
): Promise<Page<T>> {
  const { after, size } = pageBounds(body);
  const items: T[] = [];
  for await (const each of list(after)) {
    if (!wanted(each)) continue;
    if (items.length === size) return { items, nextToken: tokenOf(body, positionOf(items.at(-1)!)) };
    items.push(each);
  }
  return { items };
}

const usualPage = 100;

function pageBounds(body: JsonObject): { after: Position | undefined; size: number } {
  const size = Number(body.maxResults ?? 0) || usualPage;
  const token = optionalText(body, 'nextToken');
  if (token === undefined) return { after: undefined, size };
  const [list, after] = decodedToken(token);
  if (list !== listOf(body)) throw invalidToken();
  return { after, size };
}

const invalidToken = () => new ApiError('InvalidToken', `Invalid Token: 'Invalid token'`);

function decodedToken(token: string): [list: string, after: Position] {
  try {
    const [list, ...after] = JSON.parse(Buffer.from(token, 'base64url').toString()) as Position;
    if (after.length > 0 && after.every((part) => ['number', 'string'].includes(typeof part)))
      return [String(list), after];
  } catch {
    // Not one of ours.
  }
  throw invalidToken();
}

const tokenOf = (body: JsonObject, position: Position): string =>
  Buffer.from(JSON.stringify([listOf(body), ...position])).toString('base64url');

/** Tells lists apart by what was asked for: a token is for the list that gave it. */
function listOf({ nextToken: _, maxResults: __, ...asked }: JsonObject): string {
  return createHash('sha256').update(canonicalText(asked)).digest('base64url').slice(0, 8);
}

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
