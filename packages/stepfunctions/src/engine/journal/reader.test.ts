import { compileProgram } from '../../states/compile';
import { makeEntry } from '../entry';
import type { Revision } from '../machines';
import type { Journal } from './journal';
import { ExecutionReader } from './reader';
import type { JournalRecord } from './record';

const startTime = 1_700_000_000_000;
const definition = { StartAt: 'Sleep', States: { Sleep: { Type: 'Wait', Seconds: 60, End: true } } };
const started = JSON.stringify({ name: 'one', revision: 1, input: '{}', seed: 'seed' });

test('an execution that is rewritten while its history is asked for is read from its new record', async () => {
  const revision = {
    stateMachineArn: 'arn:aws:states:us-east-1:1:stateMachine:m',
    name: 'm',
    roleArn: 'r',
  } as Revision;
  const entry = makeEntry({ serial: 1, name: 'one', revision, startTime });
  const header = {
    serial: 1,
    previous: -1,
    time: startTime,
    wakeAt: 0,
    inFlight: false,
    status: 'RUNNING',
    lastEvent: 2,
  };
  const image = JSON.stringify({ told: 0, happenings: [['start', startTime, 2, started]] });
  const records = [
    { ...header, kind: 'start', body: started },
    { ...header, kind: 'image', body: image },
  ] as JournalRecord[];
  let end = 1;
  entry.first = entry.last = 0;
  const rewrite = () => {
    if (entry.first === 1) return;
    entry.first = entry.last = 1;
    setImmediate(() => {
      end = 2;
    });
  };
  const reader = new ExecutionReader({
    journal: {
      committed: async () => undefined,
      isCommitted: (position) => position < end,
      read: (position) => records[position]!,
    } as Journal,
    region: 'us-east-1',
    program: () => compileProgram(definition),
    knows: () => {
      // Somebody else's turn comes between its being looked at and its being read.
      queueMicrotask(rewrite);
      return true;
    },
    log: () => undefined,
  });
  const { events } = await reader.history(entry);
  expect(entry.first).toBe(1);
  expect(events.map(({ type }) => type)).toEqual(['ExecutionStarted', 'WaitStateEntered']);
});
