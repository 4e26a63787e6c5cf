import { createHash } from 'node:crypto';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { FilePart } from '../../core/base/content/parts';
import { NotFound } from '../../core/base/text/errors';
import { pngOf } from '../../runtime/png';

// Files that are drawn here, as small as they can be.

/** Returns a grey picture. Only its header says how large it is, so it may say anything. */
export function png(width = 2, height = 2, grey = 128): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const lines = Buffer.concat(Array(2).fill(Buffer.from([0, grey, grey])));
  return pngOf(header, lines);
}

/** Returns a PDF with a line of text on each page. */
export const pdf = (...pages: string[]): Buffer =>
  pdfOf(pages.map((text) => ({ dictionary: '', stream: Buffer.from(`BT /F1 12 Tf 20 100 Td (${text}) Tj ET`) })));

/** Returns a PDF whose page has this content, with these fields of its dictionary. */
export const pdfOfStream = (dictionary: string, stream: Buffer): Buffer => pdfOf([{ dictionary, stream }]);

/** Returns a PDF whose pages are scans: pictures of this size, each with a grey of its own. */
export function scannedPdf(width: number, height: number, greys: number[], text = ''): Buffer {
  const image = greys.length > 0 ? 3 + 2 * greys.length : 0;
  const box = '/MediaBox [0 0 200 200]';
  const pages = greys.flatMap((_, index) => [
    `<< /Type /Page /Parent 2 0 R ${box} /Resources << /XObject << /I ${image + index} 0 R >> /Font << /F1 ${image + greys.length} 0 R >> >> /Contents ${4 + 2 * index} 0 R >>`,
    streamOf(
      '',
      Buffer.from(
        `q 200 0 0 200 0 0 cm /I Do Q${index === 0 && text ? ` BT /F1 12 Tf 20 100 Td (${text}) Tj ET` : ''}`,
      ),
    ),
  ]);
  const images = greys.map((grey) =>
    streamOf(
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8`,
      Buffer.alloc(width * height, grey),
    ),
  );
  const kids = greys.map((_, index) => `${3 + 2 * index} 0 R`).join(' ');
  return joined([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${greys.length} >>`,
    ...pages,
    ...images,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
}

const streamOf = (dictionary: string, stream: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${stream.length} >>\nstream\n`),
    stream,
    Buffer.from('\nendstream'),
  ]);

/** Returns a PDF that refers to one page so many times. */
export function pdfOfManyPages(count: number): Buffer {
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';
  const kids = Array(count).fill('3 0 R').join(' ');
  return joined(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`, page]);
}

function pdfOf(pages: { dictionary: string; stream: Buffer }[]): Buffer {
  const font = 3;
  const kids = pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap(({ dictionary, stream }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /Font << /F1 ${font} 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      streamOf(dictionary, stream),
    ]),
  ];
  return joined(objects);
}

function joined(objects: (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let at = parts[0]!.length;
  const add = (part: Buffer) => {
    parts.push(part);
    at += part.length;
  };
  for (const [index, object] of objects.entries()) {
    places.push(at);
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as string), Buffer.from('\nendobj\n')]));
  }
  const start = at;
  const lines = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${lines}`));
  add(Buffer.from(`trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** Files as a conversation has them: parts, and the bytes that a step reads. */
export function storedFiles() {
  const bytesOf = new Map<string, Uint8Array>();
  const reads: string[] = [];
  return {
    reads,
    put(mediaType: string, bytes: Uint8Array, filename = 'it'): FilePart {
      const id = `f_${createHash('sha256').update(bytes).digest('base64url')}`;
      bytesOf.set(id, bytes);
      return { type: 'file', id, mediaType, filename, size: bytes.length, sources: ['file'] };
    },
    lose: ({ id }: FilePart) => bytesOf.delete(id),
    async readFile({ id }: FilePart, firstBytes?: number): Promise<Uint8Array> {
      reads.push(id);
      const bytes = bytesOf.get(id);
      if (!bytes) throw new NotFound(`The conversation has no file ${id}.`);
      return bytes.subarray(0, firstBytes);
    },
  };
}

/** What a zip file has under a name: a text, or compressed bytes with the size that they are said to have. */
type Zipped = string | { deflated: Buffer; size: number };

/** Returns a zip file. */
export function zip(entries: Record<string, Zipped>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(entries)) {
    const isText = typeof content === 'string';
    const data = isText ? deflateRawSync(Buffer.from(content), { level: 1 }) : content.deflated;
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(isText ? crc32(Buffer.from(content)) : 0, 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(isText ? Buffer.byteLength(content) : content.size, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), fields, place, Buffer.from(name));
    files.push(file);
    at += file.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(entries).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...files, list, end]);
}

/** Returns a zipped text of so many megabytes of one character between two ends, of a few kilobytes. */
export function zippedFill(before: string, megabytes: number, after: string, fill = ' '): Zipped {
  const options = { finishFlush: constants.Z_FULL_FLUSH };
  const megabyte = deflateRawSync(Buffer.alloc(1_048_576, fill), options);
  const deflated = [deflateRawSync(before, options), ...Array(megabytes).fill(megabyte), deflateRawSync(after)];
  return { deflated: Buffer.concat(deflated), size: before.length + megabytes * 1_048_576 + after.length };
}

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Returns the entry of a zip file that says which other parts a part has, by the last words of their kinds. */
export const relationsOf = (part: string, targets: Record<string, string>): Record<string, string> => {
  const parts = part.split('/');
  const name = [...parts.slice(0, -1), '_rels', `${parts.at(-1)}.rels`].join('/');
  const all = Object.entries(targets).map(
    ([kind, target], index) =>
      `<Relationship Id="r${index}" Type="${relationships}/${kind}" Target="${target}" ${target.startsWith('http') ? 'TargetMode="External"' : ''}/>`,
  );
  return { [name]: `<Relationships>${all.join('')}</Relationships>` };
};

/** Returns a document of Word whose body is given, with other entries. */
export const docx = (body: string, others: Record<string, Zipped> = {}): Buffer =>
  zip({
    ...relationsOf('', { officeDocument: 'word/document.xml' }),
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${body}</w:body></w:document>`,
    ...others,
  });

/** Returns a table of Excel with one sheet, whose rows are given, with other entries. */
export const xlsx = (
  rows: string,
  others: Record<string, Zipped> = {},
  sheet = '<sheet name="One" r:id="r0"/>',
): Buffer =>
  zip({
    ...relationsOf('', { officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `<workbook><sheets>${sheet}</sheets></workbook>`,
    ...relationsOf('xl/workbook.xml', { worksheet: 'sheet.xml', sharedStrings: 'strings.xml' }),
    'xl/sheet.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...others,
  });
