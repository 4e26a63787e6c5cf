import { officeTypes } from 'vigil-client/shared';
import { typeOfFile } from '../../core/base/models/file-kinds';
import { isText } from '../../core/base/text/unicode-text';
import type { MadeFile } from '../../core/conversations/agent/model';
import { pictureSize } from './picture-size';

/** Returns a picture that a model has made. Its type is what its bytes say. */
export function pictureOf(bytes: Uint8Array): MadeFile {
  const { mediaType } = pictureSize(bytes) ?? {};
  if (!mediaType) return { problem: 'Its bytes are not those of a PNG, JPEG, GIF or WebP picture.' };
  return { bytes, mediaType, filename: `picture.${mediaType.slice('image/'.length)}` };
}

/** Returns the picture of a data address. What another address serves is not fetched: it may be anywhere. */
export function pictureAt(url: string): MadeFile {
  const [, data] = /^data:[^,]{0,200};base64,(.+)$/s.exec(url) ?? [];
  return data ? pictureOf(Buffer.from(data, 'base64')) : { problem: "The model's server gave an address of it only." };
}

/** Types that people open and models read, by the ends of names. */
const typesOfNames: Record<string, string> = {
  ...officeTypes,
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  py: 'text/x-python',
  json: 'application/json',
  xml: 'application/xml',
  svg: 'image/svg+xml',
};
const markBytes = 8_000;

/** Returns a file that a program has made. A name does not make it a picture, a document or a text: its bytes must be those of one. */
export function fileOf(bytes: Uint8Array, filename = ''): MadeFile {
  const first = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, markBytes));
  // ASCII by then.
  const end = /\.(\w{1,5})$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  const said = Object.hasOwn(typesOfNames, end) ? typesOfNames[end]! : 'application/octet-stream';
  const begins = (mark: string) => first.toString('latin1', 0, mark.length) === mark;
  const container = begins('PK\x03\x04') ? 'application/zip' : undefined;
  const mark = pictureSize(bytes)?.mediaType ?? (begins('%PDF-') ? 'application/pdf' : container);
  const mediaType = typeOfFile({ isText: isText(first), ...(mark && { mark }) }, said);
  return { bytes, mediaType, ...(filename && { filename }) };
}
