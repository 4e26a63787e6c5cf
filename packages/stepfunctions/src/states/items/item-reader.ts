import type { MapItem, Reading } from '../../execution/execution';
import { parseResource, type TaskResource } from '../../execution/task-resource';
import { isObject, type Json, type JsonObject, jsonText } from '../../language/json';
import { compileQuery } from '../../language/jsonata/jsonata-template';
import { compileTemplate } from '../../language/payload-template';
import type { Scope } from '../../language/scope';
import type { Steps } from '../../language/steps';
import { type NumberField, numberField } from '../number-field';
import { readerFailure } from './item-failure';
import { parseItems } from './item-formats';

interface Inventory {
  /** The parameters of GetObject, for each file of the inventory. */
  readonly objects: JsonObject[];
  /** The ReaderConfig for its files. */
  readonly config: JsonObject;
}

/** The manifest of an S3 inventory (S3's guide, "Inventory manifest"): names files of CSV without a header. */
function readManifest(text: string): Inventory {
  const [manifest] = parseItems(`[${text}]`, { InputType: 'JSON' }) as [Json];
  const { destinationBucket, fileFormat, fileSchema, files } = isObject(manifest) ? manifest : {};
  if (typeof destinationBucket !== 'string' || typeof fileSchema !== 'string' || !Array.isArray(files))
    return readerFailure('The manifest is not that of an Amazon S3 inventory.');
  if (fileFormat !== 'CSV') return readerFailure(`Inventories in ${String(fileFormat)} cannot be read.`);
  return {
    objects: files.filter(isObject).map(({ key }) => ({ Bucket: destinationBucket.split(':').pop()!, Key: key ?? '' })),
    config: { InputType: 'CSV', CSVHeaderLocation: 'GIVEN', CSVHeaders: fileSchema.split(/\s*,\s*/) },
  };
}

export interface ItemReader {
  /** The resource of the first request. */
  readonly resource: TaskResource;
  parameters(scope: Scope): Steps<Json>;
  /** MaxItems as it is given. Throws where it is no number. */
  readonly limit: NumberField;
  /** The resource of the request for each of `Reading`'s objects. */
  readonly object: TaskResource;
  /** Returns what has been read after an answer. Throws States.ItemReaderFailed. */
  answered(scope: Scope, asked: Json, answer: Json, before: Reading | undefined): Steps<Reading>;
  /** The items in a text that somebody hands in instead of S3. */
  items(scope: Scope, text: string): Steps<MapItem[]>;
}

/** "MaxItems … up to 100,000,000" */
const mostItems = 100_000_000;

/** ItemReader: reads a distributed map's items from S3: from one object, from a bucket's list, or from all objects that a list names. */
export function compileReader(fields: JsonObject, jsonata: boolean): ItemReader {
  const config = (fields.ReaderConfig as JsonObject | undefined) ?? {};
  const source = (jsonata ? fields.Arguments : fields.Parameters) ?? {};
  const query = jsonata ? compileQuery(source, 'ItemReader/Arguments') : undefined;
  const template = jsonata ? undefined : compileTemplate(source);
  const limit = numberField(config, 'MaxItems', jsonata);
  const resource = parseResource(fields.Resource as string)!;
  function* mostOf(scope: Scope): Steps<number> {
    const wanted = yield* limit(scope);
    if (wanted !== undefined && wanted < 0) readerFailure('field MaxItems must be positive');
    return wanted === undefined || wanted === 0 || wanted > mostItems ? mostItems : wanted;
  }

  function* parameters(scope: Scope): Steps<Json> {
    return query ? yield* query(scope) : template!(scope);
  }

  return {
    resource,
    limit,
    object: parseResource('arn:aws:states:::s3:getObject')!,
    parameters,
    *answered(scope, asked, answer, before) {
      const reading = before
        ? nextObject(before, asked, answer)
        : firstAnswer(asked, answer, { config, most: yield* mostOf(scope) });
      const { objects, items, most } = reading;
      return { ...reading, items: items.slice(0, most), objects: items.length < most ? objects : [] };
    },
    *items(scope, text) {
      const most = yield* mostOf(scope);
      const { Bucket, Key } = (yield* parameters(scope)) as JsonObject;
      const source = sourceOf({ Bucket: Bucket!, ...(Key !== undefined && { Key }) });
      return added([], parseItems(text, config).slice(0, most), source);
    },
  };
}

function firstAnswer(asked: Json, answer: Json, { config, most }: Pick<Reading, 'config' | 'most'>): Reading {
  const begun: Reading = { objects: [], items: [], most, config };
  if (isObject(answer) && Array.isArray(answer.Contents)) {
    const listed = answer.Contents.filter(isObject);
    const { Bucket = null } = isObject(asked) ? asked : {};
    if (config.Transformation === 'LOAD_AND_FLATTEN')
      return { ...begun, objects: listed.map(({ Key = null }) => ({ Bucket, Key })) };
    return { ...begun, items: added([], listed.map(listedObject), sourceOf({ Bucket })) };
  }
  if (config.InputType === 'MANIFEST') return { ...begun, ...readManifest(textOf(answer)) };
  return nextObject(begun, asked, answer);
}

/** The first of the objects has been read. */
function nextObject(reading: Reading, asked: Json, answer: Json): Reading {
  const { objects, items, config } = reading;
  const found = parseItems(textOf(answer), config);
  return { ...reading, objects: objects.slice(1), items: added(items, found, sourceOf(asked)) };
}

const added = (items: readonly MapItem[], values: readonly Json[], source: string): MapItem[] => [
  ...items,
  ...values.map((value, i) => ({ index: items.length + i, value, source })),
];

const textOf = (answer: Json): string =>
  isObject(answer) && typeof answer.Body === 'string' ? answer.Body : jsonText(answer);

/** `$$.Map.Item.Source`: an object's URI, or a bucket's where the items are its list. */
function sourceOf(asked: Json): string {
  const { Bucket, Key } = isObject(asked) ? asked : {};
  return `S3://${[Bucket, Key].filter((part) => part !== undefined).join('/')}`;
}

/** An item tells of an object in other words than S3's answer does. */
function listedObject({ ETag, LastModified, ...rest }: JsonObject): JsonObject {
  return {
    ...(ETag !== undefined && { Etag: ETag }),
    ...(LastModified !== undefined && { LastModified: Date.parse(String(LastModified)) / 1000 }),
    ...rest,
  };
}
