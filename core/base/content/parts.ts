import * as z from 'zod';
import { Source } from './sources';

/**
 * The id of a file: `f_` and the SHA-256 of its bytes in base64url, so a file of other bytes has another id. It opens nothing: what reads a
 * file asks first whether the conversation refers to it.
 */
export const fileIdPattern = /^f_[\w-]{43}$/;
export const FileId = z.string().regex(fileIdPattern, 'use the id of a file: f_ and 43 characters of base64url');

/** A file that a message or a result refers to. Its bytes are in the files' store. */
export const FilePart = z.object({
  type: z.literal('file'),
  id: FileId,
  /** Its media type, such as `image/png`. */
  mediaType: z.string(),
  filename: z.string().optional(),
  /** In bytes. */
  size: z.number().int().min(0),
  /** The outside sources of its content. A file that its user has uploaded has `file`: they need not have written what it says. */
  sources: z.array(Source).optional(),
});
export type FilePart = z.infer<typeof FilePart>;

/** Returns whose words the text of a file is. They need not be its user's. */
export const sourcesOfText = ({ sources }: Pick<FilePart, 'sources'>): Source[] =>
  sources?.length ? sources : ['file'];

/** A file as a model gets it from an agent with guards. Without `guarded`, nothing has checked it. */
export type GuardedFile = FilePart & {
  /** The character of its text from which it is read, from 1; the first by default. */
  from?: number;
  guarded?: {
    /** The text that has replaced the file's own. */
    text?: string;
    /** A guard withholds pictures, and documents as they look. */
    textOnly?: boolean;
  };
};

/** Without parameters. */
export const mediaTypePattern = /^[\w.+-]{1,60}\/[\w.+-]{1,120}$/;

/** A file whose bytes are in a result itself, as functions without rights return it. */
export const InlineFile = z.object({
  type: z.literal('file'),
  mediaType: z.string().regex(mediaTypePattern),
  filename: z.string().max(255).optional(),
  /** In base64. */
  data: z.base64(),
});
export type InlineFile = z.infer<typeof InlineFile>;

/** The files of a result with bytes, together, in base64: Lambda's limit of a response is 6 MB. */
export const mostInlineBase64 = 4_000_000;

export const TextPart = z.object({ type: z.literal('text'), text: z.string() });
export type TextPart = z.infer<typeof TextPart>;

/** Returns what stands in the place of a file that a result had: a tool that has run has a result, whatever its files are. */
export const withoutFile = (
  { filename, mediaType }: Pick<InlineFile, 'filename' | 'mediaType'>,
  why: string,
): TextPart => ({
  type: 'text',
  text: `[${filename ?? 'A file'} (${mediaType}) was not stored: ${why}]`,
});

/** JSON, which the model reads as text. */
export const DataPart = z.object({ type: z.literal('data'), data: z.unknown().optional() });

export const Part = z.discriminatedUnion('type', [TextPart, FilePart, DataPart]);
export type Part = z.infer<typeof Part>;

/** Returns the files of a message. One without parts is its text alone. */
export const filesOf = ({ parts = [] }: { parts?: Part[] }): FilePart[] => parts.filter((part) => part.type === 'file');

/** Returns the names of a message's files in one line: what it is about, if it has no words. */
export const namesOfFiles = (content: { parts?: Part[] }): string =>
  filesOf(content)
    .map(({ filename = 'a file' }) => filename)
    .join(', ');

/** Returns the files anywhere in a value, such as a tool's result: each once. */
export function filePartsIn(value: unknown): FilePart[] {
  const found = new Map<string, FilePart>();
  const look = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    const { data: file } = 'type' in one && one.type === 'file' ? FilePart.safeParse(one) : {};
    if (file) found.set(file.id, file);
    else for (const inner of Object.values(one)) look(inner);
  };
  look(value);
  return [...found.values()];
}

/** Returns a value with something else in the place of each file whose bytes are in it, one after the other. */
export async function replacedFiles(value: unknown, replace: (file: InlineFile) => Promise<unknown>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const all: unknown[] = [];
    for (const one of value) all.push(await replacedFiles(one, replace));
    return all;
  }
  const { data: file, success } = 'type' in value && value.type === 'file' ? InlineFile.safeParse(value) : {};
  if (success && file) return replace(file);
  const entries: [string, unknown][] = [];
  for (const [name, one] of Object.entries(value)) entries.push([name, await replacedFiles(one, replace)]);
  return Object.fromEntries(entries);
}

/** Returns the words of parts: what is searched, summarised and named after. */
export const wordsOf = (parts: readonly (Exclude<Part, FilePart> | Pick<FilePart, 'type'>)[]): string =>
  parts
    .flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'data' ? [JSON.stringify(part.data)] : []))
    .join('\n\n');
