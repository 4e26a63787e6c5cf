import { StateFailure } from '../../language/errors';
import { isObject, type Json, type JsonObject, parseJson } from '../../language/json';
import { readCsv } from './csv';
import { readerFailure } from './item-failure';

type Format = (text: string, config: JsonObject) => Json[];

/** Formats for ReaderConfig's InputType, beside the plain list of objects that S3 answers. */
const formats: Record<string, Format> = {
  CSV: readCsv,
  JSON(text, { ItemsPointer }) {
    const value = pointed(parseJson(text), String(ItemsPointer ?? ''));
    return Array.isArray(value) ? value : readerFailure('Attempting to map over non-iterable node.');
  },
  JSONL: (text) =>
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => parseJson(line)),
  PARQUET: () => readerFailure('InputType PARQUET is not supported by this engine'),
};

/** Returns the value that a JSON pointer (RFC 6901) leads to. */
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

/** The items in an object's text, as a ReaderConfig describes it. */
export function parseItems(text: string, config: JsonObject): Json[] {
  const format =
    formats[String(config.InputType ?? 'JSON')] ?? readerFailure(`Unknown InputType ${String(config.InputType)}`);
  try {
    return format(text, config);
  } catch (error) {
    if (error instanceof StateFailure) throw error;
    return readerFailure(`Failed to read the item source: ${(error as Error).message}`);
  }
}
