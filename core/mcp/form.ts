import { parseInput } from '../schemas/parse-input';
import type { ServerQuestion } from '../state/isolated-call';
import { clip } from '../text/clip';
import { inputOf } from './input-schema';
import type { JsonSchema } from './pin';

const mostFields = 20;
const mostFormBytes = 20_000;
const mostHintBytes = 300;

/** What a form must not ask for, because the answer is stored, and the server is a stranger. */
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

/** Returns the blank form, and what its fields are, by name. */
export const blankForm = (question: ServerQuestion) => ({
  arguments: Object.fromEntries(fieldsIn(question).map(([name, field]) => [name, blank(field)])),
  kinds: Object.fromEntries(fieldsIn(question).map(([name, field]) => [name, hint(field)])),
});

/**
 * Returns what a person has entered, as the server expects it.
 *
 * @returns the first problem instead: its field and what to do.
 */
export function contentOf(question: ServerQuestion, entered: object): { content: object } | [string, string] {
  const { required = [] } = question.form as { required?: string[] };
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

const fieldsIn = ({ form }: ServerQuestion): [string, JsonSchema][] =>
  Object.entries((form.properties ?? {}) as Record<string, JsonSchema>);

/** A value of the field's type, by which a page knows what to show. */
function blank({ type, default: usual }: JsonSchema): unknown {
  if (usual !== undefined) return usual;
  if (type === 'boolean') return false;
  if (type === 'array') return [];
  return type === 'number' || type === 'integer' ? null : '';
}

function hint({ title, description, enum: values, oneOf, items }: JsonSchema): string {
  const { enum: several, anyOf } = (items ?? {}) as JsonSchema;
  const options = (values ?? several ?? oneOf ?? anyOf) as unknown[] | undefined;
  const names = options?.map((one) => (typeof one === 'object' ? (one as JsonSchema).const : one)).join(', ');
  const words = [description ?? title, names && `one of: ${names}`].filter(Boolean).join('; ');
  return clip(words, { bytes: mostHintBytes });
}
