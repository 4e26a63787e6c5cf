import { history } from './histories-fixture';

const queue = 'arn:aws:states:::sqs:sendMessage.waitForTaskToken';
const Parameters = { QueueUrl: 'q', MessageBody: 'm' };
const types = (lines: string[], from: number) => lines.slice(from).map((line) => line.split(' ')[1]);

test('a call that hands out no token fails its task before it is submitted', () => {
  const states = { T: { Type: 'Task', Resource: queue, Parameters, End: true } };
  const { lines } = history(states, { kind: 'failed', task: 1, error: 'E', call: true });
  expect(types(lines, 2)).toEqual(['TaskScheduled', 'TaskStarted', 'TaskSubmitFailed', 'ExecutionFailed']);
});

test('a token that is answered before the call has returned fails its task as every token does', () => {
  const states = { T: { Type: 'Task', Resource: queue, Parameters, End: true } };
  const { lines } = history(states, { kind: 'failed', task: 1, error: 'E' });
  expect(types(lines, 2)).toEqual(['TaskScheduled', 'TaskStarted', 'TaskFailed', 'ExecutionFailed']);
});

test('a task with parameters that the service does not have is never scheduled', () => {
  const states = { T: { Type: 'Task', Resource: queue, Parameters: { ...Parameters, Other: 1 }, End: true } };
  const { lines, execution } = history(states);
  expect(types(lines, 1)).toEqual(['TaskStateEntered', 'ExecutionFailed']);
  expect(execution.outcome).toMatchObject({ error: 'States.Runtime' });
});

test("an activity's heartbeats are awaited from when a worker has taken its task", () => {
  const Resource = 'arn:aws:states:us-east-1:123456789012:activity:a';
  const states = { T: { Type: 'Task', Resource, HeartbeatSeconds: 5, TimeoutSeconds: 60, End: true } };
  const waiting = history(states, { kind: 'scheduled', task: 1 }, { kind: 'alarm' });
  expect(waiting.execution.time - waiting.execution.identity.startTime).toBe(60_000);
  const taken = history(states, { kind: 'scheduled', task: 1 }, { kind: 'started', task: 1 }, { kind: 'alarm' });
  expect(taken.execution.time - taken.execution.identity.startTime).toBe(5_002);
  expect(types(taken.lines, 2)).toEqual([
    'ActivityScheduled',
    'ActivityStarted',
    'ActivityTimedOut',
    'ExecutionFailed',
  ]);
});
