import type { MapItem } from '../../execution/execution';
import { dataLimit } from '../../execution/failure';
import { runtimeFailure } from '../../language/errors';
import { type Json, type JsonObject, jsonText } from '../../language/json';
import { compileQuery } from '../../language/jsonata/jsonata-template';
import { compileTemplate } from '../../language/payload-template';
import type { Scope } from '../../language/scope';
import type { Steps } from '../../language/steps';
import { numberField } from '../number-field';

const sizeOf = (value: Json): number => Buffer.byteLength(jsonText(value));

function positive(field: string, value: number | undefined): number | undefined {
  if (value === undefined || value > 0) return value;
  throw runtimeFailure(`field ${field} must be positive`);
}

/** ItemBatcher: hands each child execution `{Items: […], BatchInput}` instead of one item. */
export function compileBatcher(
  fields: JsonObject,
  jsonata: boolean,
): (items: readonly MapItem[], scope: Scope) => Steps<MapItem[]> {
  const mostItems = numberField(fields, 'MaxItemsPerBatch', jsonata);
  const mostBytes = numberField(fields, 'MaxInputBytesPerBatch', jsonata);
  const batchInput = fields.BatchInput;
  const query = batchInput !== undefined && jsonata ? compileQuery(batchInput, 'ItemBatcher/BatchInput') : undefined;
  const template = batchInput !== undefined && !jsonata ? compileTemplate(batchInput) : undefined;
  return function* (items, scope) {
    const count = positive('MaxItemsPerBatch', yield* mostItems(scope)) ?? Number.POSITIVE_INFINITY;
    const bytes = Math.min(positive('MaxInputBytesPerBatch', yield* mostBytes(scope)) ?? dataLimit, dataLimit);
    const shared = query ? yield* query(scope) : template?.(scope);
    const inputOf = (batch: Json[]): JsonObject =>
      shared === undefined ? { Items: batch } : { BatchInput: shared, Items: batch };
    const empty = sizeOf(inputOf([]));
    const batches: Json[][] = [];
    let size = 0;
    for (const { value } of items) {
      const open = batches.at(-1);
      // With the comma in front of it.
      const more = sizeOf(value) + 1;
      if (open !== undefined && open.length < count && size + more <= bytes) {
        open.push(value);
        size += more;
      } else {
        batches.push([value]);
        size = empty + more - 1;
      }
    }
    return batches.map((batch, index) => ({ index, value: inputOf(batch), size: batch.length }));
  };
}
