import { Archive } from './archive';
import { addOpenDocument, isEncrypted } from './open-document';
import { addSheets } from './sheets';
import { addSlides } from './slides';
import { addDocument } from './word';
import { Words } from './words';

type ReadOffice = { text: string; isWhole: boolean } | { problem: string };

/** By the first element of the main part. A binary table (.xlsb) has none. */
const readers: Record<string, (archive: Archive, main: string, words: Words) => Promise<void>> = {
  document: addDocument,
  workbook: addSheets,
  presentation: addSlides,
};

const otherFormat = {
  problem: 'it is in an old or unknown format; ask the user to save it as .docx, .xlsx, .pptx or PDF, and to send that',
};
const locked = { problem: 'it is protected by a password; ask the user to send it without one' };

/** Reads the text of a document that is a zip file: of Word, Excel, PowerPoint or OpenDocument, whatever it was announced as. */
export async function readZipped(bytes: Uint8Array, characters: number): Promise<ReadOffice> {
  const archive = await Archive.open(bytes);
  const words = new Words(characters);
  try {
    const isRead = await addDocumentOf(archive, words);
    if (isRead !== true) return isRead;
  } catch (error) {
    // What was read until then is a part of it.
    if ((error as Error).name !== 'TooLarge' || String(words) === '') throw error;
    words.isWhole = false;
  }
  return { text: String(words), isWhole: words.isWhole };
}

async function addDocumentOf(archive: Archive, words: Words): Promise<true | { problem: string }> {
  if (archive.has('content.xml')) {
    if (await isEncrypted(archive)) return locked;
    await addOpenDocument(archive, words);
    return true;
  }
  const main = (await archive.relations('')).find(({ type }) => type === 'officeDocument')?.target;
  let root: string | undefined;
  const open = (name: string) => {
    root ??= name;
  };
  if (main) await archive.walk(main, { open }, () => root !== undefined);
  const reader = root !== undefined && Object.hasOwn(readers, root) ? readers[root] : undefined;
  if (!main || !reader) return otherFormat;
  await reader(archive, main, words);
  return true;
}

/** As bytes: Node 20 never ends a search for a text of UTF-16 in memory that begins at an odd address. */
const encryptedPart = Buffer.from('EncryptedPackage', 'utf16le');

const startsWith = (bytes: Uint8Array, ...first: number[]): boolean => first.every((byte, at) => bytes[at] === byte);

export const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b);

/** Says what to do about a document that is not read: one before 2007, one with a password, which is in a container of that time, or RTF. */
export function unreadable(bytes: Uint8Array): { problem: string } | undefined {
  if (startsWith(bytes, 0x7b, 0x5c, 0x72, 0x74, 0x66)) return otherFormat;
  if (!startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) return undefined;
  const isLocked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(encryptedPart);
  return isLocked ? locked : otherFormat;
}
