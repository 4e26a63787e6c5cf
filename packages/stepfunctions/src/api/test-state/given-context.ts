import { isObject, type Json, type JsonObject, parseJson, typeName } from '../../language/json';
import { validationFailed } from '../api-error';
import { optionalText } from '../request';

type Shape = 'string' | 'number' | 'any' | { readonly [field: string]: Shape };

/** The fields of the context object (AWS's page of that name) that a caller of TestState may give. */
const shape: Shape = {
  Execution: {
    Id: 'string',
    Input: 'any',
    Name: 'string',
    RoleArn: 'string',
    StartTime: 'string',
    RedriveCount: 'number',
    RedriveTime: 'string',
  },
  State: { EnteredTime: 'string', Name: 'string', RetryCount: 'number' },
  StateMachine: { Id: 'string', Name: 'string' },
  Task: { Token: 'string' },
};

const refuse = (problem: string) => validationFailed(`Invalid Context object provided: ${problem}`);

/** The context object that a test gives, or undefined. Throws ValidationException. */
export function givenContext(body: JsonObject, state: JsonObject): JsonObject | undefined {
  const text = optionalText(body, 'context');
  if (text === undefined) return undefined;
  let value: Json;
  try {
    value = parseJson(text);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  if (!isObject(value)) throw refuse(`must be an object, but was ${typeName(value)}`);
  if (Object.hasOwn(value, 'Map')) throw refuse("Field 'Map' is not supported when mocking the Context object");
  if (Object.hasOwn(value, 'Task') && !waits(state))
    throw refuse("Field 'Task' is only supported for .waitForTaskToken and .sync service integration patterns");
  check(value, shape, '');
  return value;
}

const waits = ({ Type, Resource }: JsonObject): boolean =>
  Type === 'Task' && typeof Resource === 'string' && /\.(?:waitForTaskToken|sync(?::2)?)$/.test(Resource);

function check(value: Json, expected: Shape, field: string): void {
  if (expected === 'any') return;
  const type = typeof expected === 'string' ? expected : 'object';
  if (typeName(value) !== type) throw refuse(`Field '${field}' must be of type ${type}, but was ${typeName(value)}`);
  if (!isObject(value) || typeof expected === 'string') return;
  for (const [name, each] of Object.entries(value)) {
    const path = field === '' ? name : `${field}.${name}`;
    const inner = Object.hasOwn(expected, name) ? expected[name] : undefined;
    if (inner === undefined) throw refuse(`Field '${path}' is not supported`);
    check(each, inner, path);
  }
}
