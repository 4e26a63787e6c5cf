import { type LoggedLine, loggedLines } from '../test/support/logged';
import { addFields, adoptConsole, log, logged, withFields, withFieldsOfEvent } from './log';
import { count } from './metrics';

let lines: LoggedLine[];
beforeEach(() => {
  lines = loggedLines();
});

const context = { awsRequestId: 'request-1' } as never;

test('each line of an event has its ids, and nothing else of it (R170)', async () => {
  const handler = logged(async (event: { next?: string }) => {
    log.info('begun');
    addFields({ tool: 'pay' });
    await Promise.resolve();
    withFields({ attempt: 2 }, () => log.warn('tried'));
    log.error('failed', { error: 'Error' });
    return event.next;
  });
  const event = { conversationId: 'c', runId: 'r', segment: 1, step: 3, callId: 'r.3.00', taskToken: 'secret' };
  expect(await handler({ ...event, next: 'done' }, context)).toBe('done');
  const { taskToken: _, ...ids } = event;
  const common = { requestId: 'request-1', timestamp: expect.any(String), ...ids };
  expect(lines).toEqual([
    { level: 'INFO', message: 'begun', ...common },
    { level: 'WARN', message: 'tried', ...common, tool: 'pay', attempt: 2 },
    { level: 'ERROR', message: 'failed', ...common, tool: 'pay', error: 'Error' },
  ]);
});

test('events side by side do not mix, and a callback from outside finds its own (R170)', async () => {
  const later: (() => void)[] = [];
  const handler = logged(async ({ conversationId }: { conversationId: string }) => {
    later.push(withFieldsOfEvent(() => log.info(`of ${conversationId}`)));
    await new Promise(setImmediate);
    log.info(`of ${conversationId}`);
  });
  await Promise.all(['a', 'b'].map((conversationId) => handler({ conversationId }, context)));
  for (const report of later) report();
  log.info('of none');
  expect(lines.map(({ message, conversationId }) => [message, conversationId])).toEqual([
    ...['a', 'b', 'a', 'b'].map((id) => [`of ${id}`, id]),
    ['of none', undefined],
  ]);
});

describe('what a tool’s author prints (R170)', () => {
  const original = { ...console };
  afterEach(() => {
    Object.assign(console, original);
    delete process.env.AWS_LAMBDA_FUNCTION_NAME;
  });

  test('is a line with the ids of the call, in Lambda', () => {
    process.env.AWS_LAMBDA_FUNCTION_NAME = 'Pay';
    adoptConsole();
    withFields({ callId: 'r.1.00' }, () => console.log('paid %d', 7, { to: 'ann' }));
    console.error(new RangeError('No account'));
    expect(lines).toMatchObject([
      { level: 'INFO', message: "paid 7 { to: 'ann' }", callId: 'r.1.00' },
      { level: 'ERROR', message: expect.stringMatching(/^RangeError: No account\n +at /) },
    ]);
  });
});

describe('a metric (R171)', () => {
  afterEach(() => {
    delete process.env.STACK_NAME;
  });
  const directives = () =>
    (lines.at(-1) as unknown as { _aws: { CloudWatchMetrics: object[] } })._aws.CloudWatchMetrics;

  test('is at the root of a line, next to ids that are no dimensions', () => {
    process.env.STACK_NAME = 'Shop';
    withFields({ conversationId: 'c' }, () =>
      count('usage', { CostDollars: 0.5, InputTokens: 9 }, { Agent: 'travel' }),
    );
    expect(lines[0]).toMatchObject({
      level: 'INFO',
      message: 'usage',
      conversationId: 'c',
      CostDollars: 0.5,
      InputTokens: 9,
      Stack: 'Shop',
      Agent: 'travel',
      _aws: { Timestamp: expect.any(Number) },
    });
    expect(directives()).toEqual([
      {
        Namespace: 'Vigil',
        Dimensions: [['Stack'], ['Stack', 'Agent']],
        Metrics: [{ Name: 'CostDollars', Unit: 'None' }],
      },
      { Namespace: 'Vigil', Dimensions: [['Stack']], Metrics: [{ Name: 'InputTokens', Unit: 'Count' }] },
    ]);
  });
});
