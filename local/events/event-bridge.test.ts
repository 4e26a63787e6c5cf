import { type Handwritten, handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
import type { Lambda } from '../lambda/lambda';
import { readTemplate } from '../template/template';
import { type EventBridge, rulesOf, startEventBridge } from './event-bridge';

let made: Handwritten;
let bridge: EventBridge;
let invoked: string[];
let failures: number;
let lines: string[];

const rule = {
  Type: 'AWS::Events::Rule',
  Properties: {
    EventPattern: { detail: { status: ['FAILED'] } },
    Targets: [{ Id: 'T', Arn: { 'Fn::GetAtt': ['Fn', 'Arn'] } }],
  },
};

async function start(change: object = {}, mayInvoke = true): Promise<void> {
  const resources = { ...lambdaResources('Fn'), Rule: { ...rule, Properties: { ...rule.Properties, ...change } } };
  made = handwritten(resources, { Fn: '' });
  const template = await readTemplate(made.assembly, { accountId: '000000000000', region: 'us-east-1', apiUrl: '' });
  invoked = [];
  lines = [];
  failures = 0;
  const lambda = {
    invoke: async (_name: string, payload: string) => {
      invoked.push(payload);
      return failures-- > 0 ? { payload: '{}', functionError: 'Unhandled' } : { payload: 'null' };
    },
  } as unknown as Lambda;
  const rules = rulesOf({ template, mayInvoke: () => mayInvoke, log: (line) => lines.push(line) });
  bridge = startEventBridge({ rules: () => rules, lambda });
}
afterEach(() => {
  bridge?.stop();
  made.remove();
});

const failed = { source: 'aws.states', detail: { status: 'FAILED' } };

test('a failing target is invoked again until it succeeds', async () => {
  await start();
  failures = 2;
  await bridge.put(failed);
  expect(invoked).toHaveLength(3);
});

test('a target’s dead-letter queue stays empty: an event is repeated until it is delivered', async () => {
  const target = { ...rule.Properties.Targets[0], DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:1:queue' } };
  await start({ Targets: [target] });
  failures = 1;
  await bridge.put(failed);
  expect(invoked).toHaveLength(2);
});

test('a target that keeps failing while everything stops rejects, so that the event is repeated', async () => {
  await start();
  failures = 100;
  const put = bridge.put(failed);
  bridge.stop();
  await expect(put).rejects.toThrow();
});

test('a rule without permission is logged at the start and reaches no target', async () => {
  await start({}, false);
  await bridge.put(failed);
  expect([invoked, lines]).toEqual([[], [expect.stringContaining('may not invoke')]]);
});

test('a disabled rule reaches no target', async () => {
  await start({ State: 'DISABLED' });
  await bridge.put(failed);
  expect(invoked).toEqual([]);
});

test.each([
  [{ Targets: [{ Id: 'T', Arn: 'x', InputPath: '$.detail' }] }, 'InputPath of a rule’s target'],
  [{ EventPattern: { detail: [{ cidr: '10.0.0.0/8' }] } }, 'operator cidr'],
  [{ EventPattern: undefined }, 'without an EventPattern'],
])('%j stops the start', async (change, message) => {
  await expect(start(change)).rejects.toThrow(message.replace('’', "'"));
});
