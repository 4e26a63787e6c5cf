import { posix } from 'node:path';
import { Parser } from 'htmlparser2';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** What is met in a part of XML. Names are without their prefix. */
export interface Met {
  open?(name: string, attributes: Record<string, string>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** A reference of one part to another of the same archive, or to an address. `type` is the last word of its own address. */
interface Relation {
  id: string;
  type: string;
  target: string;
  isOutside: boolean;
}

/** So much is unpacked of one document. It is never in memory at once. */
const mostUnpacked = 256 * 1_048_576;
/** Of a part that is read as a whole. */
const mostOfPart = 2_000_000;
/** A presentation of a thousand slides has fewer. */
const mostEntries = 20_000;

/** The document says more than is read of it. */
class TooLarge extends Error {
  override name = 'TooLarge' as const;
}

/** Whatever its author has named it: an attribute may have a prefix. */
export const attributeOf = (attributes: Record<string, string>, name: string): string | undefined =>
  attributes[name] ?? Object.entries(attributes).find(([one]) => one.endsWith(`:${name}`))?.[1];

/** Names of parts are the same in any case (ECMA-376, part 2, 6.2.2.3), and some programs write the separator of Windows. */
const keyOf = (part: string): string => part.replaceAll('\\', '/').replace(/^\//, '').toLowerCase();

/**
 * The parts of a document in a zip file. Each is unpacked and parsed piece by piece, and no further than its reader needs, so neither a large
 * table nor a bomb is in memory. What is inside a part is not unpacked, addresses are not opened, and entities are not defined.
 */
export class Archive {
  private unpacked = 0;

  private constructor(
    private readonly file: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  static async open(bytes: Uint8Array): Promise<Archive> {
    const file = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (file.entryCount > mostEntries) throw new TooLarge('The archive has too many entries.');
    const entries = new Map<string, Entry>();
    for await (const entry of file.eachEntry()) entries.set(keyOf(entry.fileName), entry);
    return new Archive(file, entries);
  }

  has(part: string): boolean {
    return this.entries.has(keyOf(part));
  }

  /**
   * Reads a part of XML.
   *
   * @param isEnough whether the reader needs no more.
   * @returns whether all of it was read. A part that is not there has nothing.
   * @throws TooLarge if the document has more than is unpacked.
   */
  async walk(part: string, met: Met, isEnough: () => boolean = () => false): Promise<boolean> {
    if (this.has(part) && isEnough()) return false;
    const parser = new Parser(
      {
        onopentag: (name, attributes) => met.open?.(localName(name), attributes),
        ontext: (text) => met.text?.(text),
        onclosetag: (name) => met.close?.(localName(name)),
      },
      { xmlMode: true },
    );
    let decoder: TextDecoder | undefined;
    for await (const bytes of this.pieces(part)) {
      decoder ??= new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : bytes[0] === 0xfe ? 'utf-16be' : 'utf-8');
      parser.write(decoder.decode(bytes, { stream: true }));
      if (isEnough()) return false;
    }
    parser.end();
    return true;
  }

  /** Returns the bytes of a part, the first two million. */
  async bytes(part: string): Promise<Uint8Array> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const bytes of this.pieces(part)) {
      pieces.push(bytes);
      length += bytes.length;
      if (length >= mostOfPart) break;
    }
    return Buffer.concat(pieces);
  }

  private async *pieces(part: string): AsyncGenerator<Buffer> {
    const entry = this.entries.get(keyOf(part));
    if (!entry) return;
    for await (const piece of await this.file.openReadStreamPromise(entry)) {
      const bytes = piece as Buffer;
      this.unpacked += bytes.length;
      if (this.unpacked > mostUnpacked) throw new TooLarge('The archive unpacks to too much.');
      yield bytes;
    }
  }

  /** Returns what a part refers to within the archive; of the archive itself for an empty name. */
  async relations(part: string): Promise<Relation[]> {
    return (await this.allRelations(part)).filter(({ isOutside }) => !isOutside);
  }

  /** Returns the addresses of a part's links, by the ids of their relations. */
  async links(part: string): Promise<Map<string, string>> {
    const outside = (await this.allRelations(part)).filter(({ isOutside }) => isOutside);
    return new Map(outside.map(({ id, target }) => [id, target]));
  }

  private async allRelations(part: string): Promise<Relation[]> {
    const { dir, base } = posix.parse(part);
    const found: Relation[] = [];
    await this.walk(posix.join(dir, '_rels', `${base}.rels`), {
      open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
        if (name !== 'Relationship') return;
        const isOutside = mode === 'External';
        const path = isOutside ? target : posix.resolve('/', dir, target).slice(1);
        found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: path, isOutside });
      },
    });
    return found;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
