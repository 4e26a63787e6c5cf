import type { JsonObject } from './json';
import { validateDefinition } from './validate';

const machine = (state: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({ StartAt: 'S', States: { S: { End: true, ...state } }, ...more });
const invoke = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
const formula = (text: string) => ({ Type: 'Pass', Parameters: { 'x.$': text } });
const at = '/States/S';

test.each<[string, string, string, string]>([
  ['no text', ' ', 'Definition must be a valid JSON object', ''],
  ['no object', '[]', 'Definition must be a valid JSON object', ''],
  ['an empty object', '{}', 'These fields are required: [States, StartAt]', '/'],
  [
    'an unknown type',
    machine({ Type: 'Nap' }),
    "The field 'Type' should have one of these values: [Task, Wait,",
    `${at}/Type`,
  ],
  ['a Task without a resource', machine({ Type: 'Task' }), "The field 'Resource' is required but was missing", at],
  [
    'empty credentials',
    machine({ ...invoke, Credentials: {} }),
    "The field 'RoleArn' is required",
    `${at}/Credentials`,
  ],
  [
    'an unknown action of a known service',
    machine({ ...invoke, Resource: 'arn:aws:states:::lambda:nope' }),
    'The resource provided arn:aws:states:::lambda:nope is not recognized.',
    `${at}/Resource`,
  ],
  [
    'a pattern that an action does not have',
    machine({ ...invoke, Resource: 'arn:aws:states:::dynamodb:putItem.sync' }),
    'The resource provided',
    `${at}/Resource`,
  ],
  [
    'a job of the AWS SDK',
    machine({ ...invoke, Resource: 'arn:aws:states:::aws-sdk:batch:submitJob.sync' }),
    'The resource provided',
    `${at}/Resource`,
  ],
  [
    'an escape that no literal can have',
    machine(formula(`States.Format('\\"')`)),
    "The value for the field 'x.$' must be a valid JSONPath or a valid intrinsic function call",
    `${at}/Parameters`,
  ],
  [
    'a time that is none, in JSONata',
    machine({ Type: 'Wait', Timestamp: "{% '2016-13-05' %}" }, { QueryLanguage: 'JSONata' }),
    'String does not match RFC3339 timestamp',
    `${at}/Timestamp`,
  ],
])('refuses %s', (_what, definition, message, location) => {
  const [first] = validateDefinition(definition);
  expect(first?.message).toContain(message);
  expect(first?.location ?? '').toBe(location);
});

test('a word that is no JSON is told with its place', () => {
  expect(validateDefinition('not a definition')).toEqual([
    {
      severity: 'ERROR',
      code: 'INVALID_JSON_DESCRIPTION',
      message:
        "Unrecognized token 'not': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')\n" +
        ' at [Source: (String)"not a definition"; line: 1, column: 4]',
      location: '[Source: (String)"not a definition"; line: 1, column: 4]',
    },
  ]);
});

test.each([
  ['credentials by path', { ...invoke, Credentials: { 'RoleArn.$': '$.role' } }],
  ['legal escapes', formula(`States.Format('\\{ \\} \\' \\\\ {}', 1)`)],
  ['a service that this engine does not call', { ...invoke, Resource: 'arn:aws:states:::sagemaker:createModel' }],
  ['a time in JSONata', { Type: 'Wait', QueryLanguage: 'JSONata', Timestamp: "{% '2016-12-05T21:29:29Z' %}" }],
])('takes %s', (_what, state) => {
  expect(validateDefinition(machine(state))).toEqual([]);
});
