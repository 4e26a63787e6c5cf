import type { MapItem } from '../interpreter/execution';
import { errorNames, StateFailure } from '../language/errors';
import { isObject, type Json, type JsonObject } from '../language/json';
import { compileQuery } from '../language/jsonata-template';
import { compileTemplate } from '../language/payload-template';
import type { Scope } from '../language/scope';
import type { Steps } from '../language/steps';
import { readCsv } from './csv';
import { numberField } from './number-field';
import { parseResource, type TaskResource } from './task-resource';

export interface ItemReader {
  readonly resource: TaskResource;
  parameters(scope: Scope): Steps<Json>;
  /** The items in what the resource answered. Throws States.ItemReaderFailed. */
  items(scope: Scope, answer: Json): Steps<MapItem[]>;
}

/** "MaxItems … up to 100,000,000" */
const mostItems = 100_000_000;

type Format = (text: string, config: JsonObject) => Json[];

/** What ReaderConfig's InputType can be, beside the plain list of objects that S3 answers. */
const formats: Record<string, Format> = {
  CSV: readCsv,
  JSON(text, { ItemsPointer }) {
    const value = pointed(JSON.parse(text) as Json, String(ItemsPointer ?? ''));
    return Array.isArray(value) ? value : readerFailure('Attempting to map over non-iterable node.');
  },
  JSONL: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as Json),
  MANIFEST: () => readerFailure('InputType MANIFEST is not supported by this engine'),
  PARQUET: () => readerFailure('InputType PARQUET is not supported by this engine'),
};

/** What a JSON pointer (RFC 6901) leads to. */
function pointed(value: Json, pointer: string): Json {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((found, name) => {
      const inside = Array.isArray(found) ? found[Number(name)] : isObject(found) ? found[name] : undefined;
      return inside ?? readerFailure(`The ItemsPointer '${pointer}' leads to nothing.`);
    }, value);
}

export function readerFailure(cause: string): never {
  throw new StateFailure(errorNames.itemReaderFailed, cause, { bare: true });
}

/** ItemReader: reads a distributed map's items from an S3 object, or from the list of a bucket's objects. */
export function compileReader(fields: JsonObject, jsonata: boolean): ItemReader {
  const config = (fields.ReaderConfig as JsonObject | undefined) ?? {};
  const source = (jsonata ? fields.Arguments : fields.Parameters) ?? {};
  const query = jsonata ? compileQuery(source, 'ItemReader/Arguments') : undefined;
  const template = jsonata ? undefined : compileTemplate(source);
  const limit = numberField(config, 'MaxItems', jsonata);
  return {
    resource: parseResource(fields.Resource as string)!,
    *parameters(scope) {
      return query ? yield* query(scope) : template!(scope);
    },
    *items(scope, answer) {
      const wanted = yield* limit(scope);
      if (wanted !== undefined && wanted < 0) readerFailure('field MaxItems must be positive');
      const most = wanted === undefined || wanted === 0 || wanted > mostItems ? mostItems : wanted;
      return parse(answer, config)
        .slice(0, most)
        .map((value, index) => ({ index, value }));
    },
  };
}

/** An item tells of an object in other words than S3's answer does. */
function listedObject({ ETag, LastModified, ...rest }: JsonObject): JsonObject {
  return {
    ...(ETag !== undefined && { Etag: ETag }),
    ...(LastModified !== undefined && { LastModified: Date.parse(String(LastModified)) / 1000 }),
    ...rest,
  };
}

function parse(answer: Json, config: JsonObject): Json[] {
  if (isObject(answer) && Array.isArray(answer.Contents)) return answer.Contents.filter(isObject).map(listedObject);
  const text = isObject(answer) && typeof answer.Body === 'string' ? answer.Body : JSON.stringify(answer);
  const format =
    formats[String(config.InputType ?? 'JSON')] ?? readerFailure(`Unknown InputType ${String(config.InputType)}`);
  try {
    return format(text, config);
  } catch (error) {
    if (error instanceof StateFailure) throw error;
    return readerFailure(`Failed to read the item source: ${(error as Error).message}`);
  }
}
