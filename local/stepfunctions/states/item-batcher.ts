import type { MapItem } from '../interpreter/execution';
import { type Json, type JsonObject, longerThan } from '../language/json';
import { compileQuery } from '../language/jsonata-template';
import { compileTemplate } from '../language/payload-template';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import { numberField } from './number-field';

/** ItemBatcher: hands each child execution `{Items: […], BatchInput}` instead of one item. */
export function compileBatcher(
  fields: JsonObject,
  jsonata: boolean,
): (items: MapItem[], scope: Scope) => Steps<MapItem[]> {
  const mostItems = numberField(fields, 'MaxItemsPerBatch', jsonata);
  const mostBytes = numberField(fields, 'MaxInputBytesPerBatch', jsonata);
  const batchInput = fields.BatchInput;
  const query = batchInput !== undefined && jsonata ? compileQuery(batchInput, 'ItemBatcher/BatchInput') : undefined;
  const template = batchInput !== undefined && !jsonata ? compileTemplate(batchInput) : undefined;
  return function* (items, scope) {
    const count = (yield* mostItems(scope)) ?? Number.POSITIVE_INFINITY;
    const bytes = (yield* mostBytes(scope)) ?? Number.POSITIVE_INFINITY;
    const shared = query ? yield* query(scope) : template?.(scope);
    const batches: Json[][] = [];
    for (const { value } of items) {
      const open = batches.at(-1);
      if (open !== undefined && open.length < count && !longerThan([...open, value], bytes)) open.push(value);
      else batches.push([value]);
    }
    return batches.map((batch, index) => {
      const value: JsonObject = shared === undefined ? { Items: batch } : { BatchInput: shared, Items: batch };
      return { index, value, size: batch.length };
    });
  };
}
