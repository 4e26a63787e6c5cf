import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { FilePart } from '../../core/base/content/parts';
import { NotFound } from '../../core/base/text/errors';
import { pngOf } from '../../local/stand-in-model/drawing';

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

/** Returns a PDF of some kilobytes whose page unpacks to so many megabytes. */
export const pdfBomb = (megabytes: number): Buffer =>
  pdfOf([
    { dictionary: '/Filter /FlateDecode', stream: deflateSync(Buffer.alloc(megabytes * 1_048_576, 32), { level: 1 }) },
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
  return joined([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap(({ dictionary, stream }, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Resources << /Font << /F1 ${font} 0 R >> >> /Contents ${5 + 2 * index} 0 R >>`,
      Buffer.concat([
        Buffer.from(`<< ${dictionary} /Length ${stream.length} >>\nstream\n`),
        stream,
        Buffer.from('\nendstream'),
      ]),
    ]),
  ]);
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
