import * as z from 'zod';
import { FilePart, TextPart, wordsOf } from '../../core/base/content/parts';
import { mostFiles, type SentPart } from '../../core/conversations/files/references';
import { BadRequest } from '../problems';
import * as example from './examples';
import { Text } from './shapes';

const mostParts = 50;
const mostData = 100_000;
/** DynamoDB takes 32, those of the row included. */
const mostLevels = 20;

/** Whether DynamoDB stores the JSON as it is. */
function isStorable(data: unknown, levels = mostLevels): boolean {
  if (typeof data === 'number')
    return data === 0 || (Math.abs(data) <= Number.MAX_SAFE_INTEGER && Math.abs(data) > 1e-100);
  if (typeof data !== 'object' || data === null) return true;
  return levels > 0 && Object.values(data).every((one) => isStorable(one, levels - 1));
}

/** A part of a message as a client sends it: of a file, its id is enough. */
const SentPartShape = z.discriminatedUnion('type', [
  TextPart.extend({ text: Text }).openapi('SentText'),
  FilePart.pick({ type: true, id: true })
    .extend({
      filename: z.string().min(1).max(255).optional().openapi({ description: 'What its user calls it' }),
    })
    .openapi('SentFile'),
  z
    .object({
      type: z.literal('data'),
      data: z
        .unknown()
        .refine((data) => data !== undefined, 'send the JSON')
        .refine((data) => isStorable(data), `nest at most ${mostLevels} levels, and use numbers that JavaScript keeps`)
        .refine(
          (data) => (JSON.stringify(data) ?? '').length <= mostData,
          `use at most ${mostData} characters of JSON`,
        ),
    })
    .openapi('SentData'),
]);

/** The content of a message: a text, or parts. */
export const content = {
  text: Text.optional().openapi({ description: 'The words, if there is nothing else' }),
  parts: z
    .array(SentPartShape)
    .min(1)
    .max(mostParts)
    .optional()
    .openapi({
      description: `Instead of \`text\`: texts, files and JSON, in order. At most ${mostFiles} files, which are uploaded before`,
      example: example.parts,
    }),
};

/** @throws BadRequest for both, and for words that are too long together. */
export function contentIn({ text, parts }: { text?: string; parts?: SentPart[] }): {
  text?: string;
  parts?: SentPart[];
} {
  if (!parts) return { text };
  if (text !== undefined) throw new BadRequest([{ path: 'text', message: 'use either `text` or `parts`' }]);
  const words = wordsOf(parts);
  if (words && !Text.safeParse(words).success)
    throw new BadRequest([{ path: 'parts', message: `use at most ${mostData} characters, together` }]);
  const [first, ...others] = parts;
  return first!.type === 'text' && others.length === 0 ? { text: words } : { text: words, parts };
}
