import { constraints } from './constraints';
import { memberKey, type Shape } from './result-shape';

/** A schema as the packages `@aws-sdk/client-*` carry it: a number, or an array that begins with the kind of shape. */
type Schema = number | readonly unknown[];
type Ref = Schema | (() => Schema);

/** The clients that the project has. What they say of an answer's fields are types; see `constraints` for the rest. */
const clients: Record<string, () => Promise<object>> = {
  bedrockruntime: () => import('@aws-sdk/client-bedrock-runtime'),
  dynamodb: () => import('@aws-sdk/client-dynamodb'),
  eventbridge: () => import('@aws-sdk/client-eventbridge'),
  lambda: () => import('@aws-sdk/client-lambda'),
  secretsmanager: () => import('@aws-sdk/client-secrets-manager'),
  sesv2: () => import('@aws-sdk/client-sesv2'),
  sfn: () => import('@aws-sdk/client-sfn'),
  sns: () => import('@aws-sdk/client-sns'),
};

/** What the operation of a service answers; undefined where no client says it. */
export async function sdkModel(service: string, operation: string): Promise<Shape | undefined> {
  // An installation without development tools lacks one of them: nothing is checked then.
  const client = (await clients[service]?.().catch(() => undefined)) as Record<string, Schema> | undefined;
  const schema = client?.[`${operation}$`];
  return Array.isArray(schema) && schema[0] === 9 ? shapeOf(schema[5] as Ref, service) : undefined;
}

/** Kinds: 1 list, 2 map, 3 structure, 4 union; a pair is a schema with the traits of the member that has it. */
function shapeOf(ref: Ref, service: string): Shape {
  const schema = typeof ref === 'function' ? ref() : ref;
  if (typeof schema === 'number') return simple(schema);
  if (schema.length === 2) return shapeOf(schema[0] as Ref, service);
  const [kind, , name] = schema as [number, string, string];
  switch (kind) {
    case 0:
      return shapeOf(schema[4] as Ref, service);
    case 1:
      return { kind: 'list', member: () => shapeOf(schema[4] as Ref, service) };
    case 2:
      return { kind: 'map', member: () => shapeOf(schema[5] as Ref, service) };
    default:
      return structure(
        `${service}:${name}`,
        schema[4] as string[],
        schema[5] as Ref[],
        Number(schema[6] ?? 0),
        service,
      );
  }
}

/** The first `required` members have to be there. Members are made when they are asked for: shapes may hold themselves. */
function structure(name: string, names: string[], schemas: Ref[], required: number, service: string): Shape {
  const known = constraints[name] ?? {};
  const at = new Map(names.map((each, i) => [memberKey(each), i]));
  return {
    kind: 'structure',
    required: names.slice(0, required),
    member(field) {
      const i = at.get(memberKey(field));
      return i === undefined ? undefined : (known[names[i]!] ?? shapeOf(schemas[i]!, service));
    },
  };
}

/** 64 is added for a list and 128 for a map of the rest. */
function simple(schema: number): Shape {
  if (schema >= 128) return { kind: 'map', member: () => simple(schema - 128) };
  if (schema >= 64) return { kind: 'list', member: () => simple(schema - 64) };
  if (schema === 1 || schema === 17 || schema === 19) return { kind: 'number' };
  if (schema === 2) return { kind: 'boolean' };
  return schema === 15 ? { kind: 'any' } : { kind: 'string' };
}
