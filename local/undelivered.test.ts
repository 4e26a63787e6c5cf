import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Handwritten, handwritten, lambdaResources } from '../test/support/handwritten/assembly';
import { readTemplate } from './template/template';
import { openUndelivered } from './undelivered';

const clock = { now: () => Date.parse('2026-03-01T08:00:00Z'), at: () => ({ cancel: () => undefined }) };
const toQueue = { OnFailure: { Destination: { 'Fn::GetAtt': ['Queue', 'Arn'] } } };
const config = (FunctionName: unknown, DestinationConfig: object = toQueue) => ({
  Type: 'AWS::Lambda::EventInvokeConfig',
  Properties: { FunctionName, Qualifier: '$LATEST', DestinationConfig },
});

let made: Handwritten;
let asked: unknown[];
afterEach(() => made.remove());

async function open(resources: Record<string, object>) {
  made = handwritten({ ...lambdaResources('Told'), ...lambdaResources('Silent'), ...resources });
  const template = await readTemplate(made.assembly, { accountId: '000000000000', region: 'us-east-1', apiUrl: '' });
  const named = (name: string) => template.ofType('AWS::Lambda::Function').find(({ logicalId }) => logicalId === name)!;
  asked = [];
  const undelivered = openUndelivered({
    template,
    stateDirectory: made.stateDirectory,
    clock,
    log: () => undefined,
    authorize: (lambda, action, queue) => asked.push([lambda.logicalId, action, queue]),
  });
  return { of: (name: string) => undelivered.ofEvents(named(name)), queue: template.ofType('AWS::SQS::Queue')[0] };
}

test('an undelivered event is a line in a file, with the queue’s name, if the role may send to it', async () => {
  const { of, queue } = await open({ Queue: { Type: 'AWS::SQS::Queue' }, Config: config({ Ref: 'Told' }) });
  await of('Told')!({ a: 1 });
  await of('Told')!({ a: 2 });
  const lines = readFileSync(join(made.stateDirectory, 'undelivered.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [1, 2].map((a) => ({ queue: 'Small-Queue', at: '2026-03-01T08:00:00.000Z', message: { a } })),
  );
  expect(asked).toEqual([['Told', 'sqs:SendMessage', 'arn:aws:sqs:us-east-1:000000000000:Small-Queue']]);
  expect(queue?.ref).toBe('https://sqs.us-east-1.amazonaws.com/000000000000/Small-Queue');
});

test('a function without a destination has none', async () => {
  const { of } = await open({ Queue: { Type: 'AWS::SQS::Queue' }, Config: config({ Ref: 'Told' }) });
  expect(of('Silent')).toBeUndefined();
});

test('a config for a function outside the template stops the start', async () => {
  await expect(open({ Config: config('other', {}) })).rejects.toThrow('names a function that is not in the template');
});
