import * as z from 'zod';
import { assertShallow, wellFormedJson } from '../../core/base/json/foreign-json';
import { clip, wellFormed } from '../../core/base/text/clip';
import type { Asked } from '../../core/conversations/agent/model';
import type { Collected, Counts } from './api';

// Servers differ from the APIs that they claim to have. Each provider's parser reads what may be there with these schemas, and none of them
// fails: what is not as documented is absent. The reply then gets one form, which every row can keep.

/** A field in another form is absent. */
export const odd = <Schema extends z.ZodType>(schema: Schema) => schema.optional().catch(undefined);

/** Entries in another form are left out. Another value is an empty list. */
export const oddList = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((entries) =>
      entries.flatMap((entry) => {
        const { success, data } = schema.safeParse(entry);
        return success ? [data] : [];
      }),
    );

/** No model reads or writes so many tokens in one call. */
const mostTokens = 20_000_000;
/** A number of tokens. */
export const Tokens = odd(z.number().int().min(0).max(mostTokens));

/** The place of a part in a reply. */
export const Index = odd(
  z.union([
    z.number().int().min(0),
    z
      .string()
      .regex(/^\d{1,6}$/)
      .transform(Number),
  ]),
);

/** An id. One in another form is empty, and `decide` replaces it. */
export const Id = z
  .union([z.string(), z.number()])
  .catch('')
  .transform((id) => String(id));

const Part = z.object({ type: odd(z.string()), text: z.unknown().optional(), refusal: z.unknown().optional() });
/** The kinds of parts that are said. Others are thoughts, images, citations. */
const said = [undefined, 'text', 'output_text', 'refusal'];

/** Returns what is said in a content: a text, a part or a list of these. */
export const textIn = (content: unknown): string =>
  typeof content === 'string' ? content : [content].flat().map(textOf).join('');

function textOf(part: unknown): string {
  if (typeof part === 'string') return part;
  const { data } = Part.safeParse(part);
  const text = data && said.includes(data.type) ? (data.text ?? data.refusal) : '';
  return typeof text === 'string' ? text : '';
}

/** Returns the text of arguments, or of a fragment of them. Some servers send the object itself. */
export const argumentsText = (given: unknown): string =>
  typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given);

/** A call as a server sends it. */
export interface AskedOnWire {
  id: string;
  name: string;
  arguments: string;
  opaque?: object;
}

/** Gives a reply the one form that the rest of Vigil knows. */
export function collected(
  reply: Pick<Collected, 'hosted' | 'citations' | 'files' | 'remoteFiles'> & {
    text: string;
    toolCalls: AskedOnWire[];
    opaque?: object;
    cutOff?: string;
  },
  counts: Counts | undefined,
): Collected {
  const { text, toolCalls, opaque, cutOff, files = [], remoteFiles = [], ...used } = reply;
  return {
    ...used,
    ...(files.length > 0 && { files }),
    ...(remoteFiles.length > 0 && { remoteFiles }),
    text,
    toolCalls: toolCalls.map(askedIn),
    ...withOpaque(opaque),
    ...(cutOff && { cutOff: clip(cutOff, { characters: 60 }) }),
    counts,
  };
}

const askedIn = ({ id, name, arguments: args, opaque }: AskedOnWire): Asked => ({
  id: wellFormed(id),
  // A character that no name has must not make it the name of another tool.
  name: clip(wellFormed(name.trim()).replace(/\p{C}/gu, '_'), { characters: 100 }) || '(no name)',
  arguments: argumentsIn(args),
  ...withOpaque(opaque),
});

/** The arguments that servers send for a tool without any. */
const noArguments = ['', 'null', '""', '[]', 'None', 'undefined'];

/** Returns the arguments as they were meant: none as an object, and JSON within JSON as it is. */
function argumentsIn(text: string): string {
  const given = text.trim();
  if (noArguments.includes(given)) return '{}';
  const inner = given.startsWith('"') ? parsed(given) : undefined;
  return wellFormed(typeof inner === 'string' && isObjectText(inner) ? inner : text);
}

/** Whether a text is the JSON of an object. */
export const isObjectText = (text: string): boolean =>
  text.trimStart().startsWith('{') && text.trimEnd().endsWith('}') && parsed(text) !== undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A provider's own data goes back to it unchanged, unless no row could keep it. */
function withOpaque(opaque: object | undefined): { opaque?: object } {
  if (opaque === undefined) return {};
  try {
    assertShallow('opaque', opaque);
    return { opaque: wellFormedJson(opaque) };
  } catch {
    return {};
  }
}
