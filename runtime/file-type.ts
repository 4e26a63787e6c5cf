import { officeTypes } from 'vigil-client/shared';

/**
 * Returns the media type that bytes show; undefined for text, and for types without a mark. The library is loaded when an upload is
 * completed: other requests do not need it.
 */
export async function mediaTypeOf(first: Uint8Array): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type/core');
  const shown = (await fileTypeFromBuffer(first))?.mime;
  if (shown === 'application/zip') return officeType(first) ?? shown;
  return shown === undefined || mayBeText.test(shown) || first.some(isControl) ? shown : undefined;
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

/** Marks of two or three letters begin words, too: a table of "BMI" is no BMP. But pictures, sound and programs have control characters. */
const isControl = (byte: number): boolean => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte);
const mayBeText = /^(?:text\/.+|application\/(?:pdf|xml|rtf|postscript|eps)|.+\+xml)$/;
