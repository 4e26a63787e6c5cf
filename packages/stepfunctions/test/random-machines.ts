import fc from 'fast-check';
import type { JsonObject } from '../src/language/json';

/**
 * State machines made up at random, for the property test: every type of state, nested to a depth, with retriers, catchers,
 * timeouts and loops.
 */
export function randomMachine(): fc.Arbitrary<JsonObject> {
  return block(2);
}

type Make = (name: string, next: string | undefined, names: string[]) => JsonObject;

const names = ['A', 'B', 'C', 'D', 'E'];

function block(depth: number): fc.Arbitrary<JsonObject> {
  return fc.integer({ min: 1, max: names.length }).chain((count) =>
    fc.array(state(depth), { minLength: count, maxLength: count }).map((makes) => {
      const own = names.slice(0, count);
      const states = Object.fromEntries(makes.map((make, i) => [own[i], make(own[i]!, own[i + 1], own)]));
      return { StartAt: 'A', States: states } as JsonObject;
    }),
  );
}

const end = (next: string | undefined): JsonObject => (next === undefined ? { End: true } : { Next: next });

function state(depth: number): fc.Arbitrary<Make> {
  const flat = [pass, task, wait, choice, stop];
  return depth > 0
    ? fc.oneof(...flat.map((make) => make()), parallel(depth - 1), map(depth - 1))
    : fc.oneof(...flat.map((make) => make()));
}

const resultPath = () => fc.constantFrom<JsonObject>({}, { ResultPath: '$.r' }, { ResultPath: null });

const pass = (): fc.Arbitrary<Make> =>
  fc
    .tuple(resultPath(), fc.constantFrom<JsonObject>({}, { Result: { n: 1 } }, { Assign: { v: 1 } }))
    .map(([path, more]) => (_name, next) => ({ Type: 'Pass', ...path, ...more, ...end(next) }));

const errors = () =>
  fc.constantFrom(['States.ALL'], ['States.Timeout'], ['Boom'], ['States.TaskFailed'], ['Boom', 'States.Timeout']);

const retry = () =>
  fc.option(
    fc.tuple(errors(), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([ErrorEquals, MaxAttempts, jitter]) => [
      {
        ErrorEquals: [...ErrorEquals],
        MaxAttempts,
        IntervalSeconds: 1,
        BackoffRate: 2,
        ...(jitter && { JitterStrategy: 'FULL' }),
      },
    ]),
    { nil: undefined },
  );

const handling = (): fc.Arbitrary<(next: string | undefined, own: string[]) => JsonObject> =>
  fc
    .tuple(retry(), fc.option(errors(), { nil: undefined }), fc.nat())
    .map(([Retry, caught, target]) => (_next, own) => ({
      ...(Retry && { Retry: Retry as unknown as JsonObject[] }),
      ...(caught && { Catch: [{ ErrorEquals: [...caught], ResultPath: '$.error', Next: own[target % own.length]! }] }),
    }));

const resources = [
  'arn:aws:lambda:us-east-1:123456789012:function:f',
  'arn:aws:states:::lambda:invoke',
  'arn:aws:states:::lambda:invoke.waitForTaskToken',
  'arn:aws:states:us-east-1:123456789012:activity:a',
];

const task = (): fc.Arbitrary<Make> =>
  fc
    .tuple(
      fc.constantFrom(...resources),
      resultPath(),
      handling(),
      fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    )
    .map(([Resource, path, handle, TimeoutSeconds]) => (_name, next, own) => ({
      Type: 'Task',
      Resource,
      ...path,
      ...handle(next, own),
      ...(TimeoutSeconds !== undefined && { TimeoutSeconds }),
      ...end(next),
    }));

const wait = (): fc.Arbitrary<Make> =>
  fc.integer({ min: 0, max: 100 }).map((Seconds) => (_name, next) => ({ Type: 'Wait', Seconds, ...end(next) }));

/** Rules lead forward only: an endless loop has a test of its own. */
const choice = (): fc.Arbitrary<Make> =>
  fc.tuple(fc.nat(), fc.nat()).map(([first, second]) => (name, _next, own): JsonObject => {
    const later = own.slice(own.indexOf(name) + 1);
    if (later.length === 0) return { Type: 'Succeed' } satisfies JsonObject;
    const rule = { Variable: '$.r', IsPresent: true, Next: later[first % later.length]! };
    return { Type: 'Choice', Choices: [rule], Default: later[second % later.length]! };
  });

const stop = (): fc.Arbitrary<Make> =>
  fc.constantFrom<Make>(
    () => ({ Type: 'Succeed' }),
    () => ({ Type: 'Fail', Error: 'Boom', Cause: 'on purpose' }),
  );

const parallel = (depth: number): fc.Arbitrary<Make> =>
  fc
    .tuple(fc.array(block(depth), { minLength: 1, maxLength: 3 }), resultPath(), handling())
    .map(([Branches, path, handle]) => (_name, next, own) => ({
      Type: 'Parallel',
      Branches,
      ...path,
      ...handle(next, own),
      ...end(next),
    }));

const map = (depth: number): fc.Arbitrary<Make> =>
  fc
    .tuple(block(depth), resultPath(), handling(), fc.integer({ min: 0, max: 2 }), fc.boolean())
    .map(([processor, path, handle, MaxConcurrency, distributed]) => (_name, next, own) => ({
      Type: 'Map',
      ItemsPath: '$$.Execution.Input.items',
      MaxConcurrency,
      ItemProcessor: { ...processor, ProcessorConfig: { Mode: distributed ? 'DISTRIBUTED' : 'INLINE' } },
      ...path,
      ...handle(next, own),
      ...end(next),
    }));
