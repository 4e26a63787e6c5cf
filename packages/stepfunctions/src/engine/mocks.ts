import { readFileSync } from 'node:fs';
import { isObject, type Json, type JsonObject, parseJson } from '../language/json';

/** The result or error of a mocked call. */
type MockedResponse = { Return: Json } | { Throw: { Error?: string; Cause?: string } };

/** A mock configuration file of Step Functions Local: answers for the states of named test cases, by the number of the call. */
export interface Mocks {
  /** Whether the state machine has such a test case. */
  has(machine: string, testCase: string): boolean;
  /** Undefined where the test case leaves the state to the service. */
  response(machine: string, testCase: string, state: string, call: number): MockedResponse | undefined;
}

/** Throws one clear line for a file that cannot be read. */
export function readMocks(path: string): Mocks {
  let file: Json;
  try {
    file = parseJson(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`The mock configuration ${path} cannot be read: ${(error as Error).message}`);
  }
  const below = (value: Json | undefined, ...names: string[]): Json | undefined =>
    names.reduce<Json | undefined>((found, name) => (isObject(found) ? found[name] : undefined), value);
  return {
    has: (machine, testCase) => below(file, 'StateMachines', machine, 'TestCases', testCase) !== undefined,
    response(machine, testCase, state, call) {
      const name = below(file, 'StateMachines', machine, 'TestCases', testCase, state);
      if (typeof name !== 'string') return undefined;
      const responses = below(file, 'MockedResponses', name);
      if (!isObject(responses)) throw new Error(`The mock configuration has no response ${name}`);
      return (
        numbered(responses, call) ?? {
          Throw: { Error: 'States.Runtime', Cause: `The mocked response ${name} has nothing for call ${call}` },
        }
      );
    },
  };
}

/** Keys are a number or a range: `0`, `1-2`. */
function numbered(responses: JsonObject, call: number): MockedResponse | undefined {
  for (const [key, response] of Object.entries(responses)) {
    const [first, last = first] = key.split('-').map(Number);
    if (call >= first! && call <= last!) return response as unknown as MockedResponse;
  }
  return undefined;
}
