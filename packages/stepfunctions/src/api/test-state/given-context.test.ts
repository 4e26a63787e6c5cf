import type { JsonObject } from '../../language/json';
import { givenContext } from './given-context';

const pass = { Type: 'Pass' };
const callback = { Type: 'Task', Resource: 'arn:aws:states:::sqs:sendMessage.waitForTaskToken' };

test.each<[string, JsonObject, JsonObject]>([
  [
    'what the context object has',
    { Execution: { Id: 'a', Input: [1], RedriveCount: 0 }, State: { RetryCount: 1 } },
    pass,
  ],
  ['nothing in it', {}, pass],
  ['a token, for a callback', { Task: { Token: 't' } }, callback],
  [
    'a token, for a job',
    { Task: { Token: 't' } },
    { Type: 'Task', Resource: 'arn:aws:states:::states:startExecution.sync:2' },
  ],
])('a test may give %s', (_what, context, state) => {
  expect(givenContext({ context: JSON.stringify(context) }, state)).toEqual(context);
});

test.each<[string, string, JsonObject, string]>([
  ['no object', '[]', pass, 'must be an object, but was array'],
  ['no JSON', '{', pass, ''],
  ['an unknown field', '{"Foo":1}', pass, "Field 'Foo' is not supported"],
  [
    'an unknown field inside',
    '{"Execution":{"constructor":1}}',
    pass,
    "Field 'Execution.constructor' is not supported",
  ],
  ['another type', '{"Execution":{"Name":1}}', pass, "Field 'Execution.Name' must be of type string, but was number"],
  ['no object inside', '{"State":"S"}', pass, "Field 'State' must be of type object, but was string"],
  ['a map', '{"Map":{"Item":{"Index":0}}}', pass, "Field 'Map' is not supported when mocking"],
  ['a token for a state that hands out none', '{"Task":{"Token":"t"}}', pass, "Field 'Task' is only supported for"],
])('a context with %s is refused', (_what, context, state, problem) => {
  expect(() => givenContext({ context }, state)).toThrow(`Invalid Context object provided: ${problem}`);
});

test('a test without a context has none', () => {
  expect(givenContext({}, pass)).toBeUndefined();
});
