import { officeTypes } from 'vigil-client/shared';
import { typeOfFile } from '../core/base/models/file-kinds';
import { isText } from '../core/base/text/unicode-text';

/**
 * Returns the media type of a file by its first bytes, with what was said of it as a hint. The library is loaded when an upload is
 * completed: other requests do not need it.
 *
 * @example await mediaTypeOf(Buffer.from('a,b'), 'text/csv') // 'text/csv'
 */
export async function mediaTypeOf(first: Uint8Array, said: string): Promise<string> {
  const isTextual = isText(first);
  const { fileTypeFromBuffer } = await import('file-type/core');
  let mark = (await fileTypeFromBuffer(first))?.mime as string | undefined;
  if (mark === 'application/zip') mark = officeType(first) ?? mark;
  // Some programs put lines of their own before a PDF. Those that read it look for its mark in the first kilobyte.
  if (!mark && /(?:^|[\r\n])%PDF-\d\.\d\s/.test(Buffer.from(first.subarray(0, 1_024)).toString('latin1')))
    mark = 'application/pdf';
  // Marks of two or three letters begin words, too: a table of "BMI" is no BMP.
  const isMark = mark !== undefined && (!isTextual || mayBeText.test(mark));
  return typeOfFile({ isText: isTextual, ...(isMark && { mark }) }, said);
}

const typesOfFolders: Record<string, string> = { word: officeTypes.docx, xl: officeTypes.xlsx, ppt: officeTypes.pptx };

/** Returns the type of a document of Office by its first parts: some programs write the one that names the type last. */
function officeType(first: Uint8Array): string | undefined {
  const [, ...entries] = Buffer.from(first).toString('latin1').split('PK\x03\x04');
  // The name is behind 26 bytes.
  const parts = entries.map((entry) => /^.{26}([\w[\]./]+)/s.exec(entry)?.[1] ?? '');
  const folder = parts.map((name) => name.split('/')[0]!).find((name) => Object.hasOwn(typesOfFolders, name));
  const isOfOffice = parts.some((name) => /^(?:_rels\/|docProps\/|\[Content_Types\])/.test(name));
  return folder && isOfOffice ? typesOfFolders[folder] : undefined;
}

const mayBeText = /^(?:text\/.+|application\/(?:pdf|xml|rtf|postscript|eps)|.+\+xml)$/;
