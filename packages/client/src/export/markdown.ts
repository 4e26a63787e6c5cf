import type { Call, Callback, Conversation, DecisionField, FilePart, Message } from '../api-types';
import { lineOf } from '../decisions/fields';
import { unseen } from '../decisions/quoted';
import { filesIn } from '../dialects/files';
import { bytesWords } from '../files/bytes-words';

/** Where the bytes of a file are, relative to the Markdown, and why they are missing or not whole. */
export interface ExportedFile {
  path?: string;
  problem?: string;
}

/** By the ids of the files. */
type ExportedFiles = ReadonlyMap<string, ExportedFile>;

/**
 * Returns a conversation as Markdown. Each message has a heading with its author and time, and is followed by its calls. Messages are in
 * Markdown already.
 *
 * @param exported where the files are, to link to them. Without it, they are named with their ids.
 */
export function conversationMarkdown(
  { title, agent, createdAt, messages, calls, callbacks }: Conversation,
  exported?: ExportedFiles,
): string {
  const drawn = (call: Call) => {
    const decisions = callbacks.filter(({ callId }) => callId === call.id);
    return [callOf(call, decisions), ...(exported ? linksOf(filesIn(call.result), exported) : [])].join('\n\n');
  };
  const steps = new Map<string, Call[]>();
  const stepOf = ({ runId, step }: { runId?: string; step?: number }) => `${runId} ${step}`;
  for (const call of calls) steps.set(stepOf(call), [...(steps.get(stepOf(call)) ?? []), call]);
  const parts = [`# ${oneLine(title) || 'Conversation'}`, `With ${oneLine(agent)}, begun ${createdAt}.`];
  for (const message of messages) {
    parts.push(headOf(message));
    parts.push(...hostedOf(message));
    if (message.text.trim()) parts.push(message.text.trim());
    parts.push(...(exported ? linksOf(filesIn(message.parts), exported) : filesOf(message)));
    if (message.citations) parts.push('Cited:', referencesOf(message.citations));
    parts.push(...feedbackOf(message));
    if (message.role !== 'assistant' || message.callId !== undefined) continue;
    const asked = steps.get(stepOf(message)) ?? [];
    steps.delete(stepOf(message));
    parts.push(...asked.sort((a, b) => a.index - b.index).map(drawn));
  }
  parts.push(...[...steps.values()].flat().map(drawn));
  return `${parts.join('\n\n')}\n`;
}

const headOf = ({ role, author, createdAt, status, covers }: Message): string => {
  const who = role === 'user' ? 'You' : oneLine(author);
  const more = [covers === undefined ? '' : 'summary', status === 'complete' ? '' : status].filter(Boolean).join(', ');
  return `## ${who} · ${createdAt}${more && ` (${more})`}`;
};

type Use = NonNullable<Message['hosted']>[number];

/** What the provider's tools did for a reply. */
const hostedOf = ({ hosted = [] }: Message): string[] =>
  hosted.flatMap(({ tool, status, input, sources }) => [
    `### ${oneLine(tool.replaceAll('_', ' '))} · ${status}`,
    ...(input ? [fenced(input)] : []),
    ...(sources.length > 0 ? ['Sources:', referencesOf(sources)] : []),
  ]);

/** What people think of a message. */
const feedbackOf = ({ feedback = [] }: Message): string[] =>
  feedback.flatMap(({ verdict, dataset, reason }) => [
    `Feedback: ${[verdict && `thumbs ${verdict}`, dataset && 'for the dataset'].filter(Boolean).join(', ')}`,
    ...(reason === undefined ? [] : [fenced(reason)]),
  ]);

/** Names the files; their bytes are not in the export. */
const filesOf = ({ parts = [] }: Message): string[] => {
  const files = parts.filter((part) => part.type === 'file');
  const lineOf = ({ filename = 'without a name', mediaType, size, id }: FilePart) =>
    `${oneLine(filename)} · ${oneLine(mediaType)} · ${bytesWords(size)} · ${id}`;
  return files.length > 0 ? ['Files:', fenced(files.map(lineOf).join('\n'))] : [];
};

/** Links to the files. Pictures of pixels are shown. */
function linksOf(files: readonly FilePart[], exported: ExportedFiles): string[] {
  const lines = files.map(({ filename = 'without a name', mediaType, size, id }) => {
    const { path, problem } = exported.get(id) ?? { problem: 'it is not in this export' };
    const name = literal(filename);
    const shown = /^image\/(?:png|jpeg|gif|webp|avif)$/.test(mediaType) ? '!' : '';
    const link = path === undefined ? name : `${shown}[${name}](${encodedPath(path)})`;
    const missing = problem && ` · **${path === undefined ? 'missing' : 'incomplete'}**: ${literal(problem)}`;
    return `- ${link} · ${literal(mediaType)} · ${bytesWords(size)}${missing ?? ''}`;
  });
  return lines.length > 0 ? ['Files:', lines.join('\n')] : [];
}

const hidden = new RegExp(unseen, 'gu');

/** Returns a text on one line, in which nothing is Markdown or HTML. */
const literal = (text: string): string =>
  oneLine(text)
    .replace(hidden, '\ufffd')
    .replace(/[!-/:-@[-`{-~]/g, '\\$&');

/** Round brackets and quotes would end the address. */
const encodedPath = (path: string): string =>
  path
    .split('/')
    .map((step) =>
      encodeURIComponent(step).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');

/** As code, so that no title can look like anything else. */
const referencesOf = (references: Use['sources']): string =>
  fenced(references.map(({ title, url }) => [oneLine(title), url].filter(Boolean).join(' ')).join('\n'));

function callOf(call: Call, decisions: readonly Callback[]): string {
  const { tool, status, startedAt, createdAt, arguments: args, result, error } = call;
  const asked = decisions.filter(({ fields }) => fields !== undefined);
  const parts = [`### ${oneLine(tool.replaceAll('_', ' '))} · ${status} · ${startedAt ?? createdAt}`];
  // A server asks for a form in the middle of the call, whose own arguments nobody was asked about.
  if (asked.every(({ asker }) => asker !== undefined)) parts.push('Arguments:', fenced(args));
  for (const { fields = [], asker } of asked)
    parts.push(asker === undefined ? 'Arguments:' : 'Form:', fenced(fields.map(fieldLine).join('\n')));
  if (result !== undefined) parts.push('Result:', fenced(result));
  if (error !== undefined) parts.push('Error:', fenced(error));
  return parts.join('\n\n');
}

const fieldLine = (field: DecisionField): string => `${lineOf(field)}${field.cut ? ' (cut here)' : ''}`;

/** The fence is longer than any in the text, so nothing in it can end it. */
function fenced(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${typeof value === 'string' ? '' : 'json'}\n${text}\n${fence}`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
