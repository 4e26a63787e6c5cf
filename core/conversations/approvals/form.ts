import * as z from 'zod';
import { JsonObject } from '../../base/json/json-object';
import { parseInput } from '../../base/schemas/parse-input';
import type { ServerQuestion } from '../../base/state/isolated-call';
import { clip } from '../../base/text/clip';
import { inputOf } from './input-schema';

const mostFields = 20;
const mostFormBytes = 20_000;
const mostHintBytes = 600;

/**
 * Secrets that a form must not ask for, because the answer is stored, and the server is a stranger: in the languages of the page, as
 * `plainWords` writes them. Names often have no spaces. `tokens` alone are a number.
 */
const secrets = [
  /pass ?(word|phrase|code)|passw(d|ort)|\bpwd\b|kennwort|contrasena/,
  /\bsecrets?\b|geheim(nis|zahl|wort|code)|\bsecret[oa]s?\b/,
  /\btoken\b(?! (count|limit|budget|usage))|(access|api|auth|bearer|refresh|session|id) ?tokens?\b/,
  /(api|private|secret|access|recovery|encryption) ?keys?\b|(api|zugriffs|zugangs|wiederherstellungs) ?schlussel|(privater|geheimer) schlussel/,
  /(?<!\bpalabras? )\bclaves?\b/,
  /credential|credencial|(zugangs|anmelde|login) ?daten/,
  /card ?(number|no|nr)\b|karten ?(prufnummer|prufziffer|nummer)|numero de (la )?tarjeta/,
  /\b(cvv|cvc|csc)2?\b|\bpins?\b|\bt?otp\b|\b[2m]fa\b|\b(m|push|sms|photo|chip) ?tan\b|\btan ?(nummer|code)\b/,
  /(security|verification|confirmation|auth|authentication|authenticator|access|login|sms|recovery|backup|one ?time) ?codes?\b/,
  /(sicherheits|bestatigungs|verifizierungs|zugangs|einmal|wiederherstellungs|pruf) ?codes?\b/,
  /codigos? de (seguridad|verificacion|confirmacion|acceso|recuperacion|un solo uso)/,
  /(seed|recovery|mnemonic) ?phrase|frase (semilla|de recuperacion)/,
];

/** Returns words without what makes them look alike: forms of letters, accents, invisible characters, and the marks between words of a name. */
const plainWords = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What a warning of honest servers says: "do not give us your phone number, pin, or other sensitive info". */
const warning = /^(please )?(do not|don t|never) (give|enter|share|send|tell|type|write|include|provide)\b(?<rest>.*)$/;
/** What asks for something after all, or takes a warning back. */
const asks =
  /\b(give|enter|share|send|tell|type|write|include|provide|put|paste|fill|submit|insert|confirm|need|require|use|but|instead|except|only|just|unless|until|without|besides|beyond|than)\b/;

/** Returns a description without what only warns of a secret. What is left is looked at as a whole. */
function withoutWarnings(description: string): string {
  const clauses = description.normalize('NFKC').split(/[.:;!?()\n]/);
  const warns = clauses.map((clause) => {
    const rest = warning.exec(plainWords(clause))?.groups?.rest;
    return rest !== undefined && !asks.test(rest);
  });
  const left = clauses.filter((_, at) => !warns[at]).join(' ');
  // What takes it back may stand before it or after it.
  return warns.includes(true) && /\b(but|instead|except|unless|than)\b/.test(plainWords(left)) ? description : left;
}

const asksForSecret = ([name, { title, description = '' }]: [string, Field]): boolean =>
  [name, title, withoutWarnings(description)].some(
    (words) => words && secrets.some((secret) => secret.test(plainWords(words))),
  );

/** Returns why a form cannot be shown to a user; undefined if it can. */
export function formProblem(question: ServerQuestion): string | undefined {
  if (Buffer.byteLength(question.message) > mostFormBytes) return 'and its question is too long';
  if (Buffer.byteLength(JSON.stringify(question.form)) > mostFormBytes) return 'and its form is too long';
  const fields = fieldsIn(question);
  if (fields.length > mostFields) return `and its form has more than ${mostFields} fields`;
  if (fields.some(asksForSecret)) return 'for a secret, which a form must not ask for';
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
  .array(
    z.union([
      Option.transform((value) => ({ value, title: undefined })),
      z.object({ const: Option, title: Words }).transform(({ const: value, title }) => ({ value, title })),
    ]),
  )
  .optional()
  .catch(undefined);
/** The description of a field for people. What is not as documented is absent; `inputOf` decides what the field may have. */
const Field = z.object({
  type: Words,
  title: Words,
  description: Words,
  default: z.unknown().optional(),
  enum: Options,
  enumNames: z.array(Words).optional().catch(undefined),
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

/** A choice is entered as its value, and its title says what that is. */
function hint({ title, description, enum: values, enumNames, oneOf, items }: Field): string {
  const choices = values ?? items?.enum ?? oneOf ?? items?.anyOf;
  const names = choices
    ?.map(({ value, title: own }, index) => ({ value: String(value), named: own ?? (values && enumNames?.[index]) }))
    .map(({ value, named }) => (named && named !== value ? `${value} (${named})` : value))
    .join(', ');
  const words = [description ?? title, names && `one of: ${names}`].filter(Boolean).join('; ');
  return clip(words, { bytes: mostHintBytes }, '…');
}
