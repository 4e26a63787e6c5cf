import { isObject, type Json, type JsonObject } from '../../language/json';
import { readerFailure } from './item-failure';
import { parseItems } from './item-formats';

export interface Inventory {
  /** The parameters of GetObject, for each file of the inventory. */
  readonly objects: JsonObject[];
  /** How its files are read. */
  readonly config: JsonObject;
}

/** The manifest of an S3 inventory (S3's guide, "Inventory manifest"): names files of CSV without a header. */
export function readManifest(text: string): Inventory {
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
