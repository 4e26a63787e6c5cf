import type { Execution, Identity } from '../execution/execution';
import type { HistoryEvent } from '../execution/history';
import type { JsonObject } from '../language/json';
import { driveAtOnce } from '../language/steps';
import { compileProgram } from '../states/compile';
import { nextAlarm } from './alarms';
import { apply, type Input, start } from './apply';

export const identity: Identity = {
  serial: 1,
  arn: 'arn:aws:states:us-east-1:123456789012:execution:m:e',
  name: 'e',
  stateMachineArn: 'arn:aws:states:us-east-1:123456789012:stateMachine:m',
  stateMachineName: 'm',
  roleArn: 'role',
  region: 'us-east-1',
  input: '{"list":[1,2],"x":1}',
  startTime: 1_700_000_000_000,
  seed: 'seed',
};
export const echo = 'arn:aws:lambda:us-east-1:123456789012:function:echo';

/** Lets the inputs happen one after another; `alarm` rings at its own time. */
export function history(
  states: JsonObject,
  ...inputs: Input[]
): { lines: string[]; execution: Execution; events: HistoryEvent[] } {
  const events: HistoryEvent[] = [];
  const sink = (event: HistoryEvent) => events.push(event);
  const program = compileProgram({ StartAt: Object.keys(states)[0]!, States: states });
  const { execution } = driveAtOnce(start(program, identity, sink)) as { execution: Execution };
  for (const input of inputs) {
    const time = input.kind === 'alarm' ? nextAlarm(execution)! : execution.time + 1;
    driveAtOnce(apply(execution, input, time, sink));
  }
  const name = ({ details }: HistoryEvent) => (details?.name === undefined ? '' : ` ${details.name}`);
  return {
    events,
    execution,
    lines: events.map((event) => `${event.id}<${event.previousEventId} ${event.type}${name(event)}`),
  };
}

/** The one state of a branch or an item processor. */
export const branch = (name: string, state: JsonObject): JsonObject => ({ StartAt: name, States: { [name]: state } });
