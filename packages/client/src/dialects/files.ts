import type { FilePart, Message, Part } from '../api-types';

/** The reference to a file: it opens nothing by itself. The API gives an address that does, for some minutes. */
export const fileUrl = (id: string): string => `vigil:${id}`;

/** Returns the id that a reference names; undefined for any other address. */
export const fileIdIn = (url: string): string | undefined => /^vigil:(f_[\w-]{43})$/.exec(url)?.[1];

/** Returns the parts of a message in order: one text, if it has no others. */
export const partsOf = ({ text, parts }: Pick<Message, 'text' | 'parts'>): Part[] => parts ?? [{ type: 'text', text }];

/** Returns the files anywhere in a value, such as a tool's result: each once under each of its names. */
export function filesIn(value: unknown): FilePart[] {
  const found = new Map<string, FilePart>();
  const look = (one: unknown): void => {
    if (typeof one !== 'object' || one === null) return;
    if (isFile(one)) found.set(`${one.id} ${one.filename}`, one);
    else for (const inner of Object.values(one)) look(inner);
  };
  look(value);
  return [...found.values()];
}

const isFile = (value: object): value is FilePart => {
  const { type, id, mediaType, size } = value as Partial<FilePart>;
  return (
    type === 'file' &&
    typeof id === 'string' &&
    fileIdIn(fileUrl(id)) !== undefined &&
    typeof mediaType === 'string' &&
    typeof size === 'number'
  );
};
