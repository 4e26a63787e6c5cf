import { mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { type Handwritten, handwritten, lambdaResources } from '../../test/support/handwritten/assembly';
import { type Fault, orderFaults } from '../app/faults';
import { openCloudClock } from '../cloud-clock';
import { type Resource, readTemplate } from '../template/template';
import { unreservedConcurrency } from './concurrency';
import { type Lambda, startLambda } from './lambda';

const source = `
  let served = 0;
  exports.handler = async (event, context) => {
    served += 1;
    switch (event.do) {
      case 'environment': return { ...process.env };
      case 'time': return [Date.now(), new Date().getTime(), new Date(0).getTime(), new Date() instanceof Date];
      case 'context': return { ...context, left: context.getRemainingTimeInMillis() };
      case 'throw': throw Object.assign(new Error('no good'), { name: 'Refused' });
      case 'exit': process.exit(3);
      case 'spin': for (;;);
      case 'wait': await new Promise((resolve) => setTimeout(resolve, event.ms)); break;
      case 'meet': {
        const { readdirSync, writeFileSync } = require('node:fs');
        writeFileSync(event.folder + '/' + require('node:worker_threads').threadId, '');
        while (readdirSync(event.folder).length < event.all) await new Promise((resolve) => setTimeout(resolve, 20));
        break;
      }
      case 'nothing': return undefined;
      case 'much': return 'x'.repeat(7e6);
      case 'print': console.log('said by the function');
    }
    return { served, thread: require('node:worker_threads').threadId };
  };
`;

let made: Handwritten;
let deployed: Resource[];
let lambda: Lambda;
let clock: ReturnType<typeof openCloudClock>;
let faults: ReturnType<typeof orderFaults>;
const died = jest.fn();
const variables = { OPENAI_BASE_URL: 'http://model', UNDECLARED: 'secret' };

beforeAll(async () => {
  const declared = { environment: { TABLE_NAME: 'table', OPENAI_BASE_URL: '' }, timeout: 1 };
  const broken = {
    ...lambdaResources('Module'),
    ...lambdaResources('Broken'),
    ...lambdaResources('Patient', { timeout: 300 }),
    ...lambdaResources('Reserved', { properties: { ReservedConcurrentExecutions: 1 } }),
  };
  const functions = {
    Small: source,
    Patient: source,
    Reserved: source,
    Broken: 'require("not-there")',
    Module: "export const handler = async () => 'imported';",
  };
  made = handwritten({ ...lambdaResources('Small', declared), ...broken }, functions);
  renameSync(join(made.assembly, 'asset.Module/index.js'), join(made.assembly, 'asset.Module/index.mjs'));
  const template = await readTemplate(made.assembly, { accountId: '000000000000', region: 'us-east-1', apiUrl: '' });
  clock = openCloudClock(made.stateDirectory);
  faults = orderFaults({ find: (name) => `Small-${name}`, names: () => ['Small'], die: () => died(), clock });
  deployed = template.ofType('AWS::Lambda::Function');
  lambda = await startLambda({
    functions: deployed,
    codeCache: join(made.assembly, 'code-cache'),
    stateDirectory: made.stateDirectory,
    region: 'us-east-1',
    awsUrl: 'http://127.0.0.1:1',
    credentialsOf: () => ({ accessKeyId: 'AKIATEST', secretAccessKey: 'x' }),
    variables,
    offset: clock.shared,
    clock,
    faults,
  });
});
afterAll(async () => {
  await lambda.stop();
  clock.stop();
  made.remove();
});

/** Deploys the same functions with the account's quota, if one is set. */
const deployWith = (environment: NodeJS.ProcessEnv) =>
  lambda.deploy({ functions: deployed, variables, unreserved: unreservedConcurrency(environment, []) });

const invoke = async (event: object, name = 'Small-Small') => {
  const { payload, functionError } = await lambda.invoke(name, JSON.stringify(event));
  return { answer: JSON.parse(payload), functionError };
};

test('a warm sandbox serves again', async () => {
  const first = await invoke({});
  const second = await invoke({});
  expect(second.answer).toEqual({ served: first.answer.served + 1, thread: first.answer.thread });
});

test('long events have a sandbox each', async () => {
  const folder = mkdtempSync(join(made.stateDirectory, 'meet-'));
  // Each ends when all have begun.
  const threads = await Promise.all([1, 2, 3].map(() => invoke({ do: 'meet', folder, all: 3 }, 'Small-Patient')));
  expect(new Set(threads.map(({ answer }) => answer.thread)).size).toBe(3);
});

test('many short events at once are served by warm sandboxes', async () => {
  const threads = await Promise.all(Array.from({ length: 40 }, () => invoke({})));
  expect(new Set(threads.map(({ answer }) => answer.thread)).size).toBeLessThan(16);
});

test('the environment is that of the template and of Lambda, nothing else', async () => {
  const { answer } = await invoke({ do: 'environment' });
  expect(answer).toMatchObject({
    AWS_ACCESS_KEY_ID: 'AKIATEST',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    AWS_LAMBDA_FUNCTION_NAME: 'Small-Small',
    AWS_REGION: 'us-east-1',
    OPENAI_BASE_URL: 'http://model',
    TABLE_NAME: 'table',
  });
  expect(answer).not.toHaveProperty('UNDECLARED');
  expect(answer).not.toHaveProperty('HOME');
});

test('Date follows the moved clock, also in a warm sandbox', async () => {
  await invoke({});
  clock.advance(86_400_000);
  const { answer } = await invoke({ do: 'time' });
  const [now, constructed, epoch, isDate] = answer;
  expect(Math.abs(now - clock.now())).toBeLessThan(1_000);
  expect(Math.abs(constructed - clock.now())).toBeLessThan(1_000);
  expect([epoch, isDate]).toEqual([0, true]);
});

test('the context has the function’s identity and its remaining time', async () => {
  const { answer } = await invoke({ do: 'context' });
  expect(answer).toMatchObject({
    functionName: 'Small-Small',
    invokedFunctionArn: expect.stringMatching(/^arn:aws:lambda:.*:function:Small-Small$/),
  });
  expect(answer.left).toBeGreaterThan(500);
  expect(answer.left).toBeLessThanOrEqual(1_000);
});

test('a thrown error has its name, its message and a trace', async () => {
  const { answer, functionError } = await invoke({ do: 'throw' });
  expect(functionError).toBe('Unhandled');
  expect(answer).toMatchObject({ errorType: 'Refused', errorMessage: 'no good' });
  expect(answer.trace[0]).toContain('no good');
});

test('a function that ends its process is a crash, and the next event gets a new one', async () => {
  const { answer } = await invoke({ do: 'exit' });
  expect(answer).toEqual({
    errorType: 'Runtime.ExitError',
    errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Runtime exited with error: exit status 3$/),
  });
  expect((await invoke({})).functionError).toBeUndefined();
});

test('a function in an endless loop times out, with AWS’s message', async () => {
  const { answer } = await invoke({ do: 'spin' });
  expect(answer).toEqual({
    errorType: 'Sandbox.Timedout',
    errorMessage: expect.stringMatching(/^RequestId: \S+ Error: Task timed out after 1.00 seconds$/),
  });
});

test('a bundle that cannot be loaded says what is missing', async () => {
  const { answer } = await invoke({}, 'Small-Broken');
  expect(answer).toMatchObject({
    errorType: 'Runtime.ImportModuleError',
    errorMessage: expect.stringContaining('not-there'),
  });
});

test('a bundle may be an ES module', async () => {
  expect((await invoke({}, 'Small-Module')).answer).toBe('imported');
});

test('an empty result is null, one that is too large is an error', async () => {
  expect((await invoke({ do: 'nothing' })).answer).toBeNull();
  expect((await invoke({ do: 'much' }, 'Small-Patient')).answer.errorType).toBe('Function.ResponseSizeTooLarge');
});

test('reserved concurrency throttles', async () => {
  const slow = invoke({ do: 'wait', ms: 200 }, 'Small-Reserved');
  await expect(invoke({}, 'Small-Reserved')).rejects.toMatchObject({ name: 'TooManyRequestsException', status: 429 });
  await slow;
});

test('beyond the account’s concurrency, functions throttle one another, except those with a reservation (R168)', async () => {
  deployWith({ VIGIL_LOCAL_CONCURRENCY: '2' });
  const slow = [invoke({ do: 'wait', ms: 200 }), invoke({ do: 'wait', ms: 200 }, 'Small-Reserved'), invoke({})];
  const rejected = { name: 'TooManyRequestsException', status: 429 };
  await expect(invoke({})).rejects.toMatchObject(rejected);
  await expect(invoke({}, 'Small-Module')).rejects.toMatchObject(rejected);
  await Promise.all(slow);
  await invoke({});
  deployWith({});
});

test('what AWS would refuse to reserve is refused, in one line (R168)', () => {
  const unreserved = (quota: string) => unreservedConcurrency({ VIGIL_LOCAL_CONCURRENCY: quota }, deployed);
  expect(unreserved('101')).toBe(100);
  expect(() => unreserved('100')).toThrow(
    /^The functions reserve 1 of 100 concurrent executions, and AWS keeps 100 unre/,
  );
  expect(() => unreserved('10')).toThrow(/^The functions reserve 1 of 10 concurrent executions, and AWS keeps 10 unre/);
  expect(() => unreserved('ten')).toThrow(
    /^VIGIL_LOCAL_CONCURRENCY is "ten": it must be a whole number of at least 1\.$/,
  );
});

test('the output of functions is in their log, not in the terminal', async () => {
  await invoke({ do: 'print' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(readFileSync(join(made.stateDirectory, 'logs/Small.log'), 'utf8')).toContain('said by the function');
});

test('a caller that stops waiting gets an error at once', async () => {
  const stop = new AbortController();
  const waiting = lambda.invoke('Small-Small', '{"do":"wait","ms":500}', stop.signal);
  stop.abort();
  await expect(waiting).rejects.toThrow('aborted');
});

describe('faults', () => {
  const order = (fault: Partial<Fault>) => faults.add({ function: 'Small', ...fault });
  const served = async () => (await invoke({})).answer.served as number;

  test.each([
    ['crash', 'Runtime.ExitError'],
    ['error', 'Error'],
    ['timeout', 'Sandbox.Timedout'],
  ] as const)('%s before: the handler does not run', async (kind, errorType) => {
    const before = await served();
    order({ kind, at: 'before' });
    expect((await invoke({})).answer.errorType).toBe(errorType);
    expect(await served()).toBe(before + 1);
  });

  test('after: the handler runs and its result is lost', async () => {
    const before = await served();
    order({ kind: 'crash', at: 'after' });
    expect((await invoke({})).answer.errorType).toBe('Runtime.ExitError');
    expect(await served()).toBe(before + 2);
  });

  test('milliseconds: the worker is killed during the invocation', async () => {
    order({ kind: 'crash', at: 30 });
    // An hour: unless it is killed, it times out, which is another error.
    expect((await invoke({ do: 'wait', ms: 3_600_000 })).answer.errorType).toBe('Runtime.ExitError');
  });

  test('throttle: the service rejects as many requests as ordered', async () => {
    order({ kind: 'throttle', times: 2 });
    await expect(invoke({})).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    await expect(invoke({})).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    expect((await invoke({})).functionError).toBeUndefined();
  });

  test('nth: the invocations before it pass, and so do those after it', async () => {
    order({ kind: 'throttle', nth: 2 });
    expect((await invoke({})).functionError).toBeUndefined();
    expect(faults.list()).toMatchObject([{ nth: 1 }]);
    await expect(invoke({})).rejects.toMatchObject({ name: 'TooManyRequestsException' });
    expect((await invoke({})).functionError).toBeUndefined();
  });

  test('from: what comes before that time by the moved clock is neither hit nor counted (R249)', async () => {
    const from = new Date(clock.now() + 3_600_000).toISOString();
    order({ kind: 'throttle', nth: 2, from });
    for (let early = 0; early < 3; early++) expect((await invoke({})).functionError).toBeUndefined();
    expect(faults.list()).toMatchObject([{ nth: 2, from }]);
    clock.advance(3_600_000);
    expect((await invoke({})).functionError).toBeUndefined();
    await expect(invoke({})).rejects.toMatchObject({ name: 'TooManyRequestsException' });
  });

  test('kill from: the whole cloud dies at that time, unless the fault is removed (R249)', () => {
    died.mockClear();
    const orderKill = () => faults.add({ kind: 'kill', from: new Date(clock.now() + 3_600_000).toISOString() });
    orderKill();
    faults.clear();
    clock.advance(3_600_000);
    expect([died.mock.calls.length, faults.list()]).toEqual([0, []]);
    orderKill();
    expect(faults.list()).toHaveLength(1);
    clock.advance(3_600_000);
    expect(died).toHaveBeenCalledTimes(1);
    faults.clear();
  });

  test.each([
    ['before', 1],
    ['after', 2],
  ] as const)('kill %s: the whole cloud dies there', async (at, servedMeanwhile) => {
    died.mockClear();
    const before = await served();
    order({ kind: 'kill', at });
    await invoke({});
    expect(died).toHaveBeenCalledTimes(1);
    expect(await served()).toBe(before + servedMeanwhile);
  });

  test.each([
    [{ kind: 'meltdown' }, 'kind must be one of: crash, error, throttle, timeout, kill.'],
    [{ kind: 'crash', at: 'during' }, 'at must be'],
    [{ kind: 'throttle', at: 'now' }, 'kind must be "crash"'],
    [{ kind: 'crash', times: 0 }, 'times must be'],
    [{ kind: 'crash', nth: 0 }, 'nth must be'],
    [{ kind: 'crash', at: 'now', from: '2040-01-01T00:00Z' }, 'Leave out from'],
    [{ kind: 'crash', from: 'Monday' }, 'from must be a time such as "2026-12-14T00:00Z"'],
    [{ transition: 2, kind: 'crash' }, 'kind must be "kill"'],
    [{ transition: 2, kind: 'kill', at: 10 }, 'at must be'],
  ])('%j is refused with what is allowed', (fault, message) => {
    expect(() => faults.add({ function: 'Small', ...fault })).toThrow(message);
  });
});
