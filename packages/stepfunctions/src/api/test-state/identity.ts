import { randomUUID } from 'node:crypto';
import type { Engine } from '../../engine/engine';
import type { Identity, MapItem } from '../../execution/execution';
import { isObject, type JsonObject, parseJson } from '../../language/json';
import { validationFailed } from '../api-error';
import { checkJson, optionalText } from '../request';
import { givenContext } from './given-context';
import { isDistributed, type StateUnderTest } from './state-under-test';

/** A parameter that is the text of a JSON object. */
export function objectField(body: JsonObject, name: string): JsonObject | undefined {
  const text = optionalText(body, name);
  if (text === undefined) return undefined;
  const value = parseJson(checkJson(text, 'ValidationException', name));
  if (!isObject(value)) throw validationFailed(`${name} must be a JSON object`);
  return value;
}

/** An Express execution of a state machine that is made up. */
export function identityOf(engine: Engine, body: JsonObject, tested: StateUnderTest, input: string): Identity {
  const { region, accountId } = engine.options;
  const [machine, name] = [randomUUID(), randomUUID()];
  const arn = (kind: string) => `arn:aws:states:${region}:${accountId}:${kind}:${machine}`;
  return {
    serial: 0,
    arn: `${arn('express')}:${name}`,
    name,
    stateMachineArn: arn('stateMachine'),
    stateMachineName: machine,
    roleArn: optionalText(body, 'roleArn') ?? null,
    region,
    input,
    startTime: engine.clock.now(),
    seed: name,
    express: true,
    context: givenContext(body, tested.state),
    item: iterationOf(tested, input),
  };
}

/** A state of a Map state is tested in its first iteration, whose item is the input. */
function iterationOf({ map }: StateUnderTest, input: string): MapItem | undefined {
  if (map === undefined) return undefined;
  const item = { index: 0, value: parseJson(input) };
  return isDistributed(map) && map.ItemReader === undefined ? { ...item, source: 'STATE_DATA' } : item;
}
