import * as z from 'zod';
import { JsonObject } from '../../base/json/json-object';
import { parseInput } from '../../base/schemas/parse-input';
import type { ServerQuestion } from '../../base/state/isolated-call';
import { clip } from '../../base/text/clip';
import { inputOf } from './input-schema';

const mostFields = 20;
const mostFormBytes = 20_000;
const mostHintBytes = 300;

/** Secrets that a form must not ask for, because the answer is stored, and the server is a stranger. */
const secretField = /pass(word|phrase|code)|secret|token|api.?key|credential|card.?number|cvv|\bpin\b/i;

/** Returns why a form cannot be shown to a user; undefined if it can. */
export function formProblem(question: ServerQuestion): string | undefined {
  if (Buffer.byteLength(question.message) > mostFormBytes) return 'and its question is too long';
  if (Buffer.byteLength(JSON.stringify(question.form)) > mostFormBytes) return 'and its form is too long';
  const fields = fieldsIn(question);
  if (fields.length > mostFields) return `and its form has more than ${mostFields} fields`;
  if (fields.some(([name, { title }]) => secretField.test(`${name} ${title ?? ''}`)))
    return 'for a secret, which a form must not ask for';
  try {
    inputOf(question.form);
    return undefined;
  } catch {
    return 'and its form cannot be shown';
  }
}

/** Returns the blank form, and what its fields are, by name. The form must have no problem. */
export function blankForm(question: ServerQuestion) {
  const { shape } = inputOf(question.form);
  const fields = fieldsIn(question);
  return {
    arguments: Object.fromEntries(fields.map(([name, field]) => [name, blank(field, shape[name])])),
    kinds: Object.fromEntries(fields.map(([name, field]) => [name, hint(field)])),
  };
}

/**
 * Returns what a person has entered, as the server expects it.
 *
 * @returns the first problem instead: its field and what to do.
 */
export function contentOf(question: ServerQuestion, entered: object): { content: object } | [string, string] {
  const { required } = Form.parse(question.form);
  const filled = fieldsIn(question).map(([name]) => {
    const value = Object.hasOwn(entered, name) ? (entered as Record<string, unknown>)[name] : undefined;
    return [name, value === '' || value === undefined ? null : value] as const;
  });
  const empty = filled.find(([name, value]) => value === null && required.includes(name));
  if (empty) return [empty[0], 'fill it in'];
  const known = new Set(filled.map(([name]) => name));
  const unknown = Object.keys(entered).find((name) => !known.has(name));
  if (unknown !== undefined) return [unknown, 'the server has not asked for it'];
  const sent = filled.filter(([name, value]) => value !== null || required.includes(name));
  const parsed = parseInput(inputOf(question.form), Object.fromEntries(sent));
  const [issue] = parsed.error?.issues ?? [];
  if (issue) return [issue.path.join('.'), issue.message];
  return { content: parsed.data! };
}

const Words = z.string().optional().catch(undefined);
const Option = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Options = z
  .array(z.union([Option, z.object({ const: Option }).transform((one) => one.const)]))
  .optional()
  .catch(undefined);
/** The description of a field for people. What is not as documented is absent; `inputOf` decides what the field may have. */
const Field = z.object({
  type: Words,
  title: Words,
  description: Words,
  default: z.unknown().optional(),
  enum: Options,
  oneOf: Options,
  items: z.object({ enum: Options, anyOf: Options }).optional().catch(undefined),
});
type Field = z.infer<typeof Field>;

const Form = z.object({
  properties: JsonObject.catch({}),
  required: z.array(z.unknown()).catch([]),
});

const fieldsIn = ({ form }: ServerQuestion): [string, Field][] =>
  Object.entries(Form.parse(form).properties).map(([name, field]) => [name, Field.safeParse(field).data ?? {}]);

/** A value of the field's type, by which a page knows what to show. */
function blank({ type, default: usual }: Field, accepts: z.ZodType | undefined): unknown {
  if (usual !== undefined && accepts?.safeParse(usual).success) return usual;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  return type === 'number' || type === 'integer' ? null : '';
}

function hint({ title, description, enum: values, oneOf, items }: Field): string {
  const names = (values ?? items?.enum ?? oneOf ?? items?.anyOf)?.join(', ');
  const words = [description ?? title, names && `one of: ${names}`].filter(Boolean).join('; ');
  return clip(words, { bytes: mostHintBytes }, '…');
}
