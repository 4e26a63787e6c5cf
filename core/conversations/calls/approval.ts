import { type ArgumentSchema, drawnSentence, fieldsOf, quoted, sentenceOf, sentenceText } from 'vigil-client/shared';
import * as z from 'zod';
import type { Source } from '../../base/content/sources';
import { parseInput } from '../../base/schemas/parse-input';
import type { ServerAnswer, ServerQuestion } from '../../base/state/isolated-call';
import { clip } from '../../base/text/clip';
import { TellModel } from '../../base/text/errors';
import { answered } from '../../base/text/thrown';
import { ruleOf } from '../agent/approvers';
import { type Approval, defaultPatience, type FunctionTool, sourcesOf } from '../agent/tool';
import { blankForm, formProblem } from '../approvals/form';
import { offerOf } from '../approvals/standing';
import type { StoredCall, StoredCallback } from '../rows/rows';
import { canonical } from './approved';
import { newCallback } from './callback';
import { notDone } from './change-call';

/** The callback's row has the arguments too, perhaps twice: original and edited. */
const maxApprovedBytes = 50_000;
const maxWhyBytes = 1_000;
/** A page checks what a person types by the schema. The API checks it in any case. */
const maxSchemaBytes = 10_000;
const mostQuestions = 5;
const mostMessageBytes = 2_000;

/**
 * Returns the callback by which a person decides about a call. It shows the arguments as the tool would get them. Whatever the reason
 * for asking, the tool's approvers decide; without any, the owner does.
 *
 * @param why the tool's own reason for asking, and `guardAsks` that of a guard.
 * @throws Error if the arguments are too long to be shown.
 */
export function approvalOf(
  tool: FunctionTool,
  call: Pick<StoredCall, 'id' | 'runId' | 'agent' | 'arguments'>,
  {
    owner,
    sources,
    why,
    guardAsks,
    now,
  }: { owner: string; sources?: Source[]; why?: string; guardAsks?: string; now: Date },
): StoredCallback {
  const args = canonical(tool.input, call.arguments) ?? {};
  if (Buffer.byteLength(JSON.stringify(args)) > maxApprovedBytes)
    throw new TellModel(`a person must approve this, so the arguments may have at most ${maxApprovedBytes} bytes.`);
  const { id, runId, agent } = call;
  const { expiresInSeconds, fallback } = { ...defaultPatience, ...tool.approval };
  const { excludesOwner, showsMessages } = tool.approval ?? {};
  const schema = schemaOf(tool.input, tool.approval);
  const kinds = kindsOf(tool, call.arguments);
  // What a guard or the tool says at run time may quote others.
  const more = [guardAsks, why && `The tool says: ${quoted(clip(why, { bytes: maxWhyBytes }, '…'))}`];
  const after = more.flatMap((words) => (words ? [` ${words}`] : [])).join('');
  return newCallback(
    {
      id,
      callId: id,
      runId,
      kind: 'approval',
      tool: tool.name,
      title: tool.title,
      arguments: args,
      ...(agent && { agent }),
      ...wordsOf(tool, { arguments: args, schema, kinds }, after),
      schema,
      kinds,
      ...ruleOf(tool.approval ?? {}, owner),
      excludesOwner,
      showsMessages,
      sources,
      expiresInSeconds,
      fallback,
      // Only if the tool's own rule is the reason to ask.
      ...(!why && !guardAsks && !sources?.length && { standing: offerOf(tool) }),
    },
    now,
  );
}

/** Returns the question as a text and, if it names arguments, as parts. */
function wordsOf(
  tool: FunctionTool,
  shown: Parameters<typeof fieldsOf>[0] & { arguments: object },
  after: string,
): Pick<StoredCallback, 'prompt' | 'sentence'> {
  const questions = [tool.approval?.prompt ?? `May the tool ${namesOf(tool)} run with these arguments?`].flat();
  const sentence = sentenceOf(questions, shown.arguments);
  if (!sentence) return { prompt: `${questions[0]}${after}` };
  const prompt = `${sentenceText(drawnSentence(sentence, fieldsOf(shown)))}${after}`;
  return { prompt, sentence: after ? [...sentence, { text: after }] : sentence };
}

/** A server's title may be that of another tool, so the name stands first. */
const namesOf = ({ name, title, server }: FunctionTool): string =>
  server && title ? `"${name}", which its server calls ${quoted(title)},` : quoted(title ?? name);

const Kinds = z.record(z.string(), z.string());
const isKinds = (answer: unknown): boolean => Kinds.safeParse(answer).success;
const kindsOf = ({ input, approval }: FunctionTool, args: unknown): Record<string, string> | undefined =>
  approval?.kinds &&
  answered('approval.kinds', approval.kinds(parseInput(input, args).data!), isKinds, 'texts by the names of fields');

/** Returns the schema by which a page checks edited arguments; undefined if it is too long. */
function schemaOf(input: z.ZodObject, { money = {} }: Partial<Approval> = {}): object | undefined {
  const { properties, required } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    // Descriptions are for the model.
    override: ({ jsonSchema }) => delete jsonSchema.description,
  }) as ArgumentSchema & { required?: string[] };
  const declared = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    Object.hasOwn(money, name) ? { ...field, currency: money[name] } : field,
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(declared), required };
  return Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes ? undefined : schema;
}

/**
 * Returns the callback by which the user answers a question of the tool's server. Its arguments are the blank form. It has an id of its own,
 * because a call may need an approval first, and its server may ask several times.
 *
 * @returns why it cannot be asked instead, for the model.
 */
export function questionOf(
  tool: FunctionTool,
  { id, runId, agent, user, answers = [] }: StoredCall,
  question: ServerQuestion,
  now: Date,
): StoredCallback | ReturnType<typeof notDone> {
  const asker = tool.server!;
  const place = (answers as ServerAnswer[]).length + 1;
  const asks = `The server ${asker} asks the user in the middle of the call`;
  if (place > mostQuestions) return notDone(`${asks}, and more than ${mostQuestions} times`);
  const problem = formProblem(question);
  if (problem) return notDone(`${asks}, ${problem}`);
  return newCallback(
    {
      id: `${id}.q${place}`,
      callId: id,
      runId,
      kind: 'approval',
      tool: tool.name,
      asker,
      question,
      ...(agent && { agent }),
      prompt:
        `The MCP server ${asker} asks in the middle of this call, in its own words: ${quoted(clip(question.message, { bytes: mostMessageBytes }, '…'))} ` +
        'It gets what you enter. Give it no password and no key.',
      ...blankForm(question),
      decider: `user:${user}`,
      sources: sourcesOf(tool),
      expiresInSeconds: defaultPatience.expiresInSeconds,
      fallback: `${asks}, and nobody answered`,
    },
    now,
  );
}
