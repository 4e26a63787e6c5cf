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
