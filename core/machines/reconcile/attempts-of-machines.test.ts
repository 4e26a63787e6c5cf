import {
  apply,
  compileProgram,
  driveAtOnce,
  type Execution,
  type HistoryEvent as Happened,
  type Input,
  type JsonObject,
  nextAlarm,
  start,
} from 'vigil-stepfunctions/interpreter';
import { shipped } from '../../../agents';
import { agentLoop } from '../../../statemachines/agent-loop';
import { attemptsIn } from './attempts';
import { type HistoryEvent, tellOfAllOpen } from './history';

// The histories are those of the real machines, as the local Step Functions writes them.

const tools = [...shipped.tools.values()];

const identity: Execution['identity'] = {
  serial: 1,
  arn: 'arn:aws:states:us-east-1:123456789012:execution:m:e',
  name: 'e',
  stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m',
  stateMachineName: 'm',
  roleArn: 'role',
  region: 'us-east-1',
  input: '{}',
  startTime: 1_700_000_000_000,
  seed: 'seed',
};

/** An execution of the agent loop, whose tasks the test ends. */
function loop() {
  const events: Happened[] = [];
  const sink = (event: Happened) => void events.push(event);
  const program = compileProgram(agentLoop(tools) as unknown as JsonObject);
  const input = JSON.stringify({ conversationId: 'c', runId: 'r', segment: 1, step: 0 });
  const { execution } = driveAtOnce(start(program, { ...identity, input }, sink)) as { execution: Execution };
  let task = 0;
  const next = () => ++task;
  const happens = (what: Input) =>
    driveAtOnce(apply(execution, what, what.kind === 'alarm' ? nextAlarm(execution)! : execution.time + 1, sink));
  const read = (latest?: number) =>
    events.slice(-(latest ?? events.length)).map(
      ({ timestamp, detailsName, details, ...event }): HistoryEvent => ({
        ...event,
        timestamp: new Date(timestamp),
        ...(detailsName && { [detailsName]: details }),
      }),
    );
  return {
    read,
    known: (latest?: number) => attemptsIn(read(latest).reverse(), shipped.tools),
    happens,
    next,
    types: () => events.map(({ type }) => type),
    answers: (Payload: object) => happens({ kind: 'succeeded', task: next(), output: { Payload } as JsonObject }),
    fails: (error: string, nth = next()) => {
      task = Math.max(task, nth);
      happens({ kind: 'failed', task: nth, error });
    },
    /** The next attempt of whatever waits for its time. */
    isTriedAgain: () => happens({ kind: 'alarm' }),
  };
}
const ids = { conversationId: 'c', runId: 'r', segment: 1, step: 1 };
const calling = (tool: string, callId: string) => ({ ...ids, next: `tool:${tool}`, call: { callId } });
const callingAll = (tool: string, ...callIds: string[]) => ({
  ...ids,
  next: 'many',
  calls: callIds.map((callId) => ({ callId, next: `tool:${tool}` })),
});

test('a function that fails, and is tried again: its call, the reason and the next attempt (R197)', () => {
  const run = loop();
  run.answers(calling('current_time', 'r.1.0'));
  run.fails('Lambda.Unknown');
  const failed = { attempt: 1, error: expect.stringMatching(/failed before/), retryBy: expect.any(String) };
  expect(run.known().attempts).toEqual([
    { state: 'current_time', callId: 'r.1.0', attempt: 2, failed: { ...failed, endedAt: expect.any(String) } },
  ]);
  run.isTriedAgain();
  expect(run.known().attempts).toMatchObject([{ callId: 'r.1.0', attempt: 2, startedAt: expect.any(String) }]);
});

test('what a catcher takes is over, and CallModel does not bear the call before it (R197)', () => {
  const run = loop();
  run.answers(calling('current_time', 'r.1.0'));
  run.fails('ToolTerminal');
  expect(run.known().attempts).toEqual([{ state: 'CallModel', attempt: 1, startedAt: expect.any(String) }]);
  run.fails('Runtime.ExitError');
  const [attempt] = run.known().attempts;
  expect(attempt).toMatchObject({ state: 'CallModel', attempt: 2, failed: { attempt: 1 } });
  expect(attempt).not.toHaveProperty('callId');
});

test('a parallel call that a catcher takes is over, and the others are listed (R197)', () => {
  const run = loop();
  run.answers(callingAll('current_time', 'a', 'b'));
  run.fails('ToolTerminal');
  expect(run.known().attempts).toMatchObject([{ state: 'current_time (parallel)', callId: 'b', attempt: 1 }]);
});

test('after a redrive, a state that had failed is listed once, and its attempts are counted anew (R197)', () => {
  const run = loop();
  run.fails('Lambda.Unknown');
  run.happens({ kind: 'stop' });
  expect(run.known()).toEqual({ execution: 'ended', attempts: [] });
  run.happens({ kind: 'redrive' });
  expect(run.known()).toEqual({
    execution: 'running',
    attempts: [{ state: 'CallModel', attempt: 1, startedAt: expect.any(String) }],
  });
});

test('after a redrive, parallel calls are listed once each, except those that had ended (R197)', () => {
  const run = loop();
  run.answers(callingAll('current_time', 'a', 'b', 'c'));
  run.answers({});
  run.fails('Lambda.Unknown');
  run.happens({ kind: 'stop' });
  run.happens({ kind: 'redrive' });
  expect(run.known().attempts.map(({ callId, attempt }) => [callId, attempt])).toEqual([
    ['b', 1],
    ['c', 1],
  ]);
});

test('a state that was entered before the latest events is asked for: it says so of all that may be open (R197)', () => {
  const run = loop();
  run.answers(callingAll('current_time', 'quiet', 'busy'));
  run.fails('Throttled', 3);
  run.isTriedAgain();
  run.fails('Throttled', 4);
  const since = (type: string) => run.types().length - run.types().lastIndexOf(type);
  // Since the busy one was entered. The quiet one would be left out.
  const few = since('TaskStateEntered');
  expect(tellOfAllOpen(run.read(few))).toBe(false);
  expect(run.known(few).attempts).toHaveLength(1);
  const enough = since('MapStateEntered');
  expect(tellOfAllOpen(run.read(enough))).toBe(true);
  expect(run.known(enough)).toEqual(run.known());
  expect(run.known().attempts).toMatchObject([{ callId: 'quiet' }, { callId: 'busy' }]);
});
