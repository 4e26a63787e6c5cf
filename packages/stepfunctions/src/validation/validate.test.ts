import type { JsonObject } from '../language/json';
import { validateDefinition } from './validate';

const machine = (state: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({ StartAt: 'S', States: { S: { End: true, ...state } }, ...more });
const invoke = { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke' };
const resource = (name: string, more: JsonObject = {}) =>
  machine({ Type: 'Task', Resource: `arn:aws:states:::${name}`, ...more });
const formula = (text: string) => ({ Type: 'Pass', Parameters: { 'x.$': text } });
const at = '/States/S';
const query = (text: string) => machine({ Type: 'Pass', Output: { v: `{% ${text} %}` } }, { QueryLanguage: 'JSONata' });
const jsonata = (text: string) => ({ Type: 'Pass', QueryLanguage: 'JSONata', Output: `{% ${text} %}` });
const choice = (rule: JsonObject): string =>
  JSON.stringify({
    StartAt: 'S',
    States: { S: { Type: 'Choice', Choices: [{ Next: 'T', ...rule }] }, T: { Type: 'Succeed' } },
  });
const caught = (catcher: JsonObject) => machine({ ...invoke, Catch: [{ ErrorEquals: ['E'], Next: 'S', ...catcher }] });
const distributed = {
  Type: 'Map',
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'I',
    States: { I: { Type: 'Pass', End: true } },
  },
};
const reader = (ReaderConfig: JsonObject) =>
  machine({ ...distributed, ItemReader: { Resource: 'arn:aws:states:::s3:getObject', ReaderConfig } });

test.each<[string, string, string, string]>([
  [
    'a start that is no state',
    '{"StartAt":"B","States":{"A":{"Type":"Succeed"}}}',
    "Missing 'Next' target: B",
    '/StartAt',
  ],
  ['no states', '{"StartAt":"A","States":{}}', 'fewer fields than minimum of 1', '/States'],
  ['neither Next nor End', JSON.stringify({ StartAt: 'S', States: { S: { Type: 'Pass' } } }), 'Missing', at],
  [
    'a state that no other leads to',
    '{"StartAt":"A","States":{"A":{"Type":"Succeed"},"B":{"Type":"Succeed"}}}',
    'State "B" is not reachable.',
    '/States/B',
  ],
  ['a path that does not parse', machine({ Type: 'Pass', InputPath: '$.a[' }), 'valid JSONPath', `${at}/InputPath`],
  ['an unknown function', machine(formula('States.Nothing()')), 'valid intrinsic function', `${at}/Parameters`],
  [
    'no choices',
    '{"StartAt":"S","States":{"S":{"Type":"Choice","Choices":[]}}}',
    'fewer items than minimum of 1',
    `${at}/Choices`,
  ],
  [
    'a comparison with another type',
    choice({ Variable: '$.a', NumericEquals: 'x' }),
    'Value is not of type number',
    `${at}/Choices[0]/NumericEquals`,
  ],
  [
    'two ways to wait',
    machine({ Type: 'Wait', Seconds: 1, Timestamp: '2030-01-01T00:00:00Z' }),
    "Exactly one of the fields 'Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath' is required",
    at,
  ],
  [
    'States.ALL among others',
    machine({ ...invoke, Retry: [{ ErrorEquals: ['States.ALL', 'E'] }] }),
    'States.ALL can only appear alone, and in the last element',
    `${at}/Retry[0]/ErrorEquals`,
  ],
  [
    'a heartbeat as long as the timeout',
    machine({ ...invoke, TimeoutSeconds: 5, HeartbeatSeconds: 5 }),
    'HeartbeatSeconds must be smaller than TimeoutSeconds',
    `${at}/HeartbeatSeconds`,
  ],
  [
    'an empty ResultWriter',
    machine({ ...distributed, ResultWriter: {} }),
    'Field has fewer fields than minimum of 1',
    `${at}/ResultWriter`,
  ],
  [
    'an unknown type',
    machine({ Type: 'Nap' }),
    "The field 'Type' should have one of these values: [Task, Wait,",
    `${at}/Type`,
  ],
  ['a Task without a resource', machine({ Type: 'Task' }), 'These fields are required: [Resource]', at],
  [
    'a choice whose variable is no path',
    choice({ Variable: 'States.UUID()', IsNull: true }),
    'Value is not a valid JSONPath',
    `${at}/Choices[0]/Variable`,
  ],
  ['a type that objects have', machine({ Type: 'constructor' }), "The field 'Type' should have one", `${at}/Type`],
  [
    'an operator that objects have',
    choice({ Variable: '$.a', constructor: 1 }),
    'Exactly one comparison operator is required',
    `${at}/Choices[0]`,
  ],
  ['a variable that is no text', choice({ Variable: 1, IsNull: true }), 'type [STRING]', `${at}/Choices[0]/Variable`],
  [
    'a part of And that is no object',
    choice({ And: [{ Variable: '$.a', IsNull: true }, '$.b'] }),
    'Value is not of type object',
    `${at}/Choices[0]/And[1]`,
  ],
  ['a Not that is no object', choice({ Not: '$.b' }), 'Value is not of type object', `${at}/Choices[0]/Not`],
  ['a target of a catcher that is no text', caught({ Next: 1 }), 'type [STRING]', `${at}/Catch[0]/Next`],
  [
    "a catcher's variable from no path",
    caught({ Assign: { 'x.$': 'e' } }),
    "The value for the field 'x.$' must be a valid JSONPath",
    `${at}/Catch[0]/Assign`,
  ],
  [
    'a processor that is an expression',
    machine({ Type: 'Map', ItemProcessor: '{% 1 %}', QueryLanguage: 'JSONata' }),
    'type [OBJECT]',
    `${at}/ItemProcessor`,
  ],
  ['an integration that objects have', resource('lambda:constructor'), 'not recognized', `${at}/Resource`],
  ['a text that is a number', machine({ Type: 'Fail', Cause: 1 }), 'Expected value of type [STRING]', `${at}/Cause`],
  ['a path of nothing', machine({ Type: 'Wait', SecondsPath: null }), 'type [STRING]', `${at}/SecondsPath`],
  ['an end that is a text', machine({ Type: 'Pass', End: 'true' }), 'type [BOOLEAN]', `${at}/End`],
  ['a start that is no name', '{"StartAt":1,"States":{"S":{"Type":"Succeed"}}}', 'type [STRING]', '/StartAt'],
  ['a timeout as text', machine({ Type: 'Pass' }, { TimeoutSeconds: '5' }), 'type [INTEGER]', '/TimeoutSeconds'],
  ['no branches', machine({ Type: 'Parallel', Branches: [] }), 'fewer items than minimum of 1', `${at}/Branches`],
  ['a number as text', machine({ Type: 'Wait', Seconds: '1' }), 'Expected value of type [INTEGER]', `${at}/Seconds`],
  [
    'a distributed map without a type of execution',
    machine({
      ...distributed,
      ItemProcessor: { ...distributed.ItemProcessor, ProcessorConfig: { Mode: 'DISTRIBUTED' } },
    }),
    'These fields are required: [ExecutionType]',
    `${at}/ItemProcessor/ProcessorConfig`,
  ],
  ['a label that is too long', machine({ ...distributed, Label: 'x'.repeat(41) }), 'Label is longer', `${at}/Label`],
  [
    "a catcher's field of JSONata",
    machine({ ...invoke, Catch: [{ ErrorEquals: ['E'], Output: 1, Next: 'S' }] }),
    "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage",
    `${at}/Catch[0]`,
  ],
  [
    "a catcher's field of JSONPath",
    machine({ ...invoke, QueryLanguage: 'JSONata', Catch: [{ ErrorEquals: ['E'], ResultPath: '$.e', Next: 'S' }] }),
    "The QueryLanguage is set to 'JSONata', but field 'ResultPath' is only supported for the 'JSONPath' QueryLanguage",
    `${at}/Catch[0]`,
  ],
  [
    'an unknown action of a known service',
    resource('lambda:nope'),
    'The resource provided arn:aws:states:::lambda:nope is not recognized.',
    `${at}/Resource`,
  ],
  ["an SDK's action that begins with a capital", resource('aws-sdk:s3:GetObject'), 'not recog', `${at}/Resource`],
  [
    "an SDK's parameter that begins with a small letter",
    resource('aws-sdk:sfn:startExecution', { Parameters: { 'input.$': '$' } }),
    'The field "input" is not supported by Step Functions',
    `${at}/Parameters`,
  ],
  [
    'a parameter that an optimised integration does not have',
    resource('sqs:sendMessage', { Parameters: { QueueUrl: 'u', Body: 'b' } }),
    'The field "Body" is not supported by Step Functions',
    `${at}/Parameters`,
  ],
  ['an unknown service', resource('nothing:here'), 'is not recognized', `${at}/Resource`],
  ['a pattern that an action does not have', resource('dynamodb:putItem.sync'), 'not recognized', `${at}/Resource`],
  ['a job of the AWS SDK', resource('aws-sdk:batch:submitJob.sync'), 'not recognized', `${at}/Resource`],
  ['a field of another type', machine({ Type: 'Pass', Catch: [] }), "Field 'Catch' is not supported", at],
  [
    'a field of JSONata',
    machine({ Type: 'Pass', Output: 1 }),
    "The QueryLanguage is set to 'JSONPath', but field 'Output' is only supported for the 'JSONata' QueryLanguage",
    at,
  ],
  [
    'a callback in an Express child execution',
    machine({
      ...distributed,
      ItemProcessor: {
        ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'EXPRESS' },
        StartAt: 'I',
        States: { I: { ...invoke, Resource: `${invoke.Resource}.waitForTaskToken`, End: true } },
      },
    }),
    "Express state machine does not support '.waitForTaskToken' service integration",
    `${at}/ItemProcessor/States/I/Resource`,
  ],
  [
    'a reader that is an expression',
    machine({ ...distributed, QueryLanguage: 'JSONata', ItemReader: '{% {} %}' }),
    'Expected value of type [OBJECT]',
    `${at}/ItemReader`,
  ],
  [
    'a reader without a resource',
    machine({ ...distributed, ItemReader: {} }),
    'These fields are required: [Resource]',
    `${at}/ItemReader`,
  ],
  [
    'a reader of something else than S3',
    machine({ ...distributed, ItemReader: { Resource: 'arn:aws:states:::lambda:invoke' } }),
    'Value is not a valid resource ARN',
    `${at}/ItemReader/Resource`,
  ],
  [
    'a reader of an unknown format',
    reader({ InputType: 'XML' }),
    'Value should be one of the following: [CSV, JSON, JSONL, MANIFEST, PARQUET]',
    `${at}/ItemReader/ReaderConfig/InputType`,
  ],
  [
    'CSV that does not say where its headers are',
    reader({ InputType: 'CSV' }),
    'These fields are required: [CSVHeaderLocation]',
    `${at}/ItemReader/ReaderConfig`,
  ],
  [
    'CSV with headers that are not given',
    reader({ InputType: 'CSV', CSVHeaderLocation: 'GIVEN' }),
    'These fields are required: [CSVHeaders]',
    `${at}/ItemReader/ReaderConfig`,
  ],
  [
    "a catcher's result path that is no path",
    caught({ ResultPath: 'x' }),
    'Value is not a Reference Path',
    `${at}/Catch[0]/ResultPath`,
  ],
  [
    'a formula for all batches that does not parse',
    machine({ ...distributed, ItemBatcher: { BatchInput: { 'x.$': 'y' } } }),
    "The value for the field 'x.$' must be a valid JSONPath or a valid intrinsic function call",
    `${at}/ItemBatcher/BatchInput`,
  ],
  [
    'a batch by path in JSONata',
    machine({ ...distributed, ItemBatcher: { MaxItemsPerBatchPath: '$.n' }, QueryLanguage: 'JSONata' }),
    "The QueryLanguage is set to 'JSONata', but field 'MaxItemsPerBatchPath' is only supported for the 'JSONPath'",
    `${at}/ItemBatcher`,
  ],
  [
    'JSONPath in a machine of JSONata',
    machine({ Type: 'Pass', QueryLanguage: 'JSONPath', Parameters: {} }, { QueryLanguage: 'JSONata' }),
    "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
    at,
  ],
  [
    'an unknown query language',
    machine({ Type: 'Pass', QueryLanguage: 'jsonpath' }),
    'Value should be one of the following: [JSONPath, JSONata]',
    `${at}/QueryLanguage`,
  ],
  [
    'a query language of an item processor',
    machine({ ...distributed, ItemProcessor: { ...distributed.ItemProcessor, QueryLanguage: 'JSONata' } }),
    "Field 'QueryLanguage' is not supported",
    `${at}/ItemProcessor`,
  ],
  [
    'a number and its path',
    machine({ ...distributed, ToleratedFailureCount: 1, ToleratedFailureCountPath: '$.n' }),
    'There should only be one of the following fields: [ToleratedFailureCount, ToleratedFailureCountPath]',
    at,
  ],
  [
    'too small a percentage',
    machine({ ...distributed, ToleratedFailurePercentage: -1 }),
    'Minimum value is 0.0',
    `${at}/ToleratedFailurePercentage`,
  ],
  [
    'a number out of the context object',
    machine({ ...distributed, MaxConcurrencyPath: '$$.Execution.Input.n' }),
    'Value is not a Reference Path',
    `${at}/MaxConcurrencyPath`,
  ],
  [
    'a result written to a variable',
    machine({ Type: 'Pass', ResultPath: '$v' }),
    'Value is not a Reference Path',
    `${at}/ResultPath`,
  ],
  ['an expression without an end', query('1 +'), 'Unexpected end of expression', `${at}/Output/v`],
  ['a name at the top', query('phone'), "Reference to 'phone' at the top level is not supported.", `${at}/Output/v`],
  ['a name inside a function', query('$map($states.input.a, function($x){ b })'), "Reference to 'b'", `${at}/Output/v`],
  ['the top-level context', query('$.a'), "Reference to '$' at the top level is not supported.", `${at}/Output/v`],
  [
    'an expression that does not close',
    machine({ Type: 'Pass', QueryLanguage: 'JSONata', Output: '{% 1' }),
    "must begin with '{%' and end with '%}'",
    `${at}/Output`,
  ],
  [
    'a reserved variable',
    machine({ Type: 'Pass', Assign: { 'states.$': '$.a' } }),
    "The variable name 'states' is reserved",
    `${at}/Assign`,
  ],
  [
    'a variable that is no name',
    machine({ ...invoke, Catch: [{ ErrorEquals: ['E'], Next: 'S', Assign: { '1a': 1 } }] }),
    "The variable name '1a' is not a valid identifier",
    `${at}/Catch[0]/Assign`,
  ],
  [
    'variables that are no object',
    machine({ Type: 'Pass', Assign: [1] }),
    'Expected value of type [OBJECT]',
    `${at}/Assign`,
  ],
  ['what no state has', query('$states.output'), "Field '$states.output' does not exist.", `${at}/Output/v`],
  ['the root of all', query('$$'), "Reference to '$$' is not supported.", `${at}/Output/v`],
  ['the result of a Pass', query('$states.result'), "Field '$states.result' does not exist.", `${at}/Output/v`],
  [
    'an error where none is caught',
    query('$states.errorOutput.Error'),
    "Field '$states.errorOutput' does not exist.",
    `${at}/Output/v`,
  ],
  ['a workflow without an end', machine({ Type: 'Pass', End: false, Next: 'S' }), 'Workflow has no terminal state', ''],
  [
    'a time in JSONata, in a state of JSONPath',
    machine({ Type: 'Wait', Timestamp: "{% '2016-12-05T21:29:29Z' %}" }),
    'String does not match RFC3339 timestamp',
    `${at}/Timestamp`,
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

test.each([
  ['credentials by path', { ...invoke, Credentials: { 'RoleArn.$': '$.role' } }],
  ['legal escapes', formula(`States.Format('\\{ \\} \\' \\\\ {}', 1)`)],
  ['a service that this engine does not call', { ...invoke, Resource: 'arn:aws:states:::sagemaker:createModel' }],
  ['a time in JSONata', { Type: 'Wait', QueryLanguage: 'JSONata', Timestamp: "{% '2016-12-05T21:29:29Z' %}" }],
  [
    'the context of a predicate and of a function',
    jsonata('$states.input.a[$ > 1].($ + $.b) ~> $map(function($v){ $v })'),
  ],
  ['a comment that looks like an expression', { Type: 'Pass', Comment: '{% later', QueryLanguage: 'JSONata' }],
  ['braces inside a text', { Type: 'Pass', Output: ' {% a %} ', QueryLanguage: 'JSONata' }],
  ['variables with letters of any script', { Type: 'Pass', Assign: { 'größe.$': '$.a', x_1: 1 } }],
  ['names below a value', jsonata('$states.input.items[n > 1]^(price).(x.y){kind: $sum(n)}')],
  ['names below a variable', jsonata('[$x[n = 1], $x{kind: n}, $x ~> |a|{"b": c}|]')],
  ['names of a lambda and a block', jsonata('($f := function($x){ $x.name }; $map($states.input, $f))')],
  ['the result of a Task', { ...invoke, QueryLanguage: 'JSONata', Output: '{% $states.result.Payload %}' }],
  [
    'the error in a catcher',
    {
      ...invoke,
      QueryLanguage: 'JSONata',
      Catch: [{ ErrorEquals: ['States.ALL'], Output: '{% $states.errorOutput.Error %}', Next: 'S' }],
    },
  ],
])('takes %s', (_what, state) => {
  expect(validateDefinition(machine(state))).toEqual([]);
});
