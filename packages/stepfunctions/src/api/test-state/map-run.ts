import type { Execution, MapItem } from '../../execution/execution';
import { failureOf } from '../../execution/failure';

import { tolerance } from '../../execution/map-run';
import { Transition } from '../../execution/transition';
import { errorNames, StateFailure } from '../../language/errors';
import { isObject, type Json, type JsonObject, jsonText } from '../../language/json';
import type { Scope } from '../../language/scope';
import { drive } from '../../language/steps';
import { tolerated } from '../../states/distributed-map';
import { compileBatcher } from '../../states/items/item-batcher';
import { compileReader } from '../../states/items/item-reader';
import { compileItems, compileSelector } from '../../states/items/map-items';
import { jsonPathFlow } from '../../states/jsonpath-flow';
import { numberField } from '../../states/number-field';
import { validationFailed } from '../api-error';
import { pick } from './inspection';
import type { Mock } from './mock-rules';
import { isDistributed, type StateUnderTest } from './state-under-test';

export interface MapRun {
  /** The state cannot begin its iterations: what its fields say is no list, or no number. */
  failure: Mock | undefined;
  /** The iterations have failed more often than the state tolerates. Does not count where the mock is an error itself. */
  exceeded: Mock | undefined;
  /** The fields that TestState shows of a Map state. */
  shown: JsonObject;
}

/** Runs the steps of a Map state that precede its iterations, which are mocked. */
export async function mapRun(tested: StateUnderTest, execution: Execution, configuration: JsonObject): Promise<MapRun> {
  const shown: JsonObject = {};
  try {
    const exceeded = await iterate(tested, execution, configuration, shown);
    return { shown, failure: undefined, exceeded: exceeded ? tooManyFailures : undefined };
  } catch (error) {
    if (!(error instanceof StateFailure)) throw error;
    const failure = { error: error.error, cause: failureOf(execution.root, error).cause };
    return { shown, failure, exceeded: undefined };
  }
}

/** Whether the iterations fail more often than they may. Notes in `shown` what the state makes of its fields. */
async function iterate(
  tested: StateUnderTest,
  execution: Execution,
  configuration: JsonObject,
  shown: JsonObject,
): Promise<boolean> {
  const { state, jsonata } = tested;
  const plain = new Transition(execution, execution.time, undefined).scope(execution.root);
  const input = jsonata ? plain.input : jsonPathFlow(pick(state, 'InputPath')).input(plain);
  const scope: Scope = { ...plain, input };
  const number = async (name: string) => await drive(numberField(state, name, jsonata)(scope));
  shown.maxConcurrency = (await number('MaxConcurrency')) ?? 0;
  const count = await number('ToleratedFailureCount');
  const percentage = await number('ToleratedFailurePercentage');
  if (count !== undefined) shown.toleratedFailureCount = count;
  if (percentage !== undefined) shown.toleratedFailurePercentage = percentage;
  const limits = tolerated(count, percentage);
  const items = await mapItems(tested, execution, scope, configuration, shown);
  const failed = Number(configuration.mapIterationFailureCount ?? 0);
  if (failed > items)
    throw validationFailed('Map iteration failure count must be less than or equal to the number of Map iterations.');
  // A tolerance that nothing sets is not applied: the mock says how the state ends.
  if (!isDistributed(state) || (count === undefined && percentage === undefined)) return false;
  return failed > tolerance(limits, items);
}

const tooManyFailures: Mock = {
  error: errorNames.exceedToleratedFailureThreshold,
  cause: 'The specified tolerated failure threshold was exceeded',
};

/** Returns the number of iterations. Notes the steps in which their inputs are made. */
async function mapItems(
  { state, jsonata }: StateUnderTest,
  execution: Execution,
  scope: Scope,
  { mapItemReaderData }: JsonObject,
  shown: JsonObject,
): Promise<number> {
  let items: readonly MapItem[];
  const values = (list: readonly MapItem[]) => jsonText(list.map(({ value }) => value));
  if (isObject(state.ItemReader)) {
    if (typeof mapItemReaderData !== 'string')
      throw validationFailed('ItemReader data must be specified when testing a Map state with ItemReader specified.');
    items = await drive(compileReader(state.ItemReader, jsonata).items(scope, mapItemReaderData));
    const { ReaderConfig } = state.ItemReader;
    if (isObject(ReaderConfig) && ReaderConfig.ItemsPointer !== undefined) shown.afterItemsPointer = values(items);
  } else {
    const distributed = isDistributed(state);
    items = await drive(compileItems(state, jsonata)(scope, distributed));
    if (distributed) items = items.map((item) => ({ ...item, source: 'STATE_DATA' }));
  }
  if (!jsonata) shown.afterItemsPath = values(items);
  const select = compileSelector(state, jsonata);
  if (select) {
    const selected: Json[] = [];
    for (const item of items) {
      const own = new Transition(execution, execution.time, undefined).scope(execution.root, { item });
      selected.push(await drive(select({ ...own, input: scope.input })));
    }
    items = items.map((item, i) => ({ ...item, value: selected[i]! }));
    shown.afterItemSelector = values(items);
  }
  if (!isObject(state.ItemBatcher)) return items.length;
  items = await drive(compileBatcher(state.ItemBatcher, jsonata)(items, scope));
  shown.afterItemBatcher = values(items);
  return items.length;
}
