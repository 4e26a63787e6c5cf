import { validateDefinition } from './validate';

test('names of states and labels of maps are unique in the whole machine', () => {
  const inner = (name: string) => ({
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: name,
    States: { [name]: { Type: 'Pass', End: true } },
  });
  const twice = (name: string) => ({
    StartAt: 'S',
    States: {
      S: { Type: 'Map', Label: 'L', ItemProcessor: inner('I'), Next: 'T' },
      T: { Type: 'Map', Label: name === 'I' ? 'M' : 'L', ItemProcessor: inner(name), End: true },
    },
  });
  const found = (definition: object) => validateDefinition(JSON.stringify(definition)).map(({ code }) => code);
  expect(found(twice('I'))).toEqual(['DUPLICATE_STATE_NAME']);
  expect(found(twice('J'))).toEqual(['DUPLICATE_LABEL_NAME']);
});

test('an inner scope assigns no variable of an outer one', () => {
  const pass = (Assign?: object) => ({
    StartAt: 'P',
    States: { P: { Type: 'Pass', End: true, ...(Assign && { Assign }) } },
  });
  const found = (Branches: object[], after: object) =>
    validateDefinition(
      JSON.stringify({
        StartAt: 'S',
        States: { S: { Type: 'Parallel', Branches, Next: 'T' }, T: { Type: 'Pass', Assign: after, End: true } },
      }),
    ).map(({ message, location }) => [message, location]);
  const problem = ["The variable 'x' is also assigned in an outer scope", '/States/S/States/P'];
  expect(found([pass({ 'x.$': '$.x' })], { x: 1 })).toEqual([problem]);
  expect(found([pass({ x: 1 })], { 'y.$': '$.y' })).toEqual([]);
  expect(found([pass()], { x: 1 })).toEqual([]);
});

test("a container's own catcher may assign what its inner scope assigns, and another state's may not", () => {
  const inner = { StartAt: 'P', States: { P: { Type: 'Pass', Assign: { x: 1 }, End: true } } };
  const Catch = [{ ErrorEquals: ['States.ALL'], Assign: { x: 2 }, Next: 'T' }];
  const map = { Type: 'Map', ItemProcessor: inner, Next: 'T' };
  const other = { Type: 'Task', Resource: 'arn:aws:lambda:us-east-1:123456789012:function:f', Catch, End: true };
  const found = (S: object, T: object) =>
    validateDefinition(JSON.stringify({ StartAt: 'S', States: { S, T } })).map(({ location }) => location);
  expect(found({ ...map, Catch }, { Type: 'Pass', End: true })).toEqual([]);
  expect(found(map, other)).toEqual(['/States/S/States/P']);
});
