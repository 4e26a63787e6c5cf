import { roleArn, SharedEngine } from './engine-fixture';

// What the tests of TestState ask about.

export const task = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:echo', End: true };
const processor = { StartAt: 'P', States: { P: { Type: 'Pass', End: true } } };
export const map = { Type: 'Map', ItemsPath: '$.list', ItemProcessor: processor, End: true };
export const failing = { mock: { errorOutput: { error: 'E', cause: 'c' } } };
export const returning = (result: unknown, more = {}) => ({ mock: { result: JSON.stringify(result), ...more } });

/** Asks an engine of this file to test a state. */
export function testState() {
  const shared = new SharedEngine();
  return async (state: object, more: object = {}) =>
    (await shared.engine.call('TestState', {
      definition: JSON.stringify(state),
      roleArn,
      input: '{"a":1,"list":[1,2]}',
      ...more,
    })) as { status: number; body: Record<string, string> & { inspectionData: object } };
}
