import type { Callback, Conversation, Message } from 'vigil-client';
import { type Call, type DecisionField, type FilePart, lineOf } from 'vigil-client/shared';
import { bytesWords } from '../files/file-words';
import { plain } from './words';

export type Format = 'markdown' | 'json';

const formats = {
  markdown: { extension: 'md', type: 'text/markdown' },
  json: { extension: 'json', type: 'application/json' },
} as const;

/** Returns the conversation as a file's content: everything that the page may read, so no task tokens and no keys. */
export const exported = (conversation: Conversation, format: Format): Blob => {
  const text = format === 'json' ? `${JSON.stringify(conversation, undefined, 2)}\n` : markdownOf(conversation);
  return new Blob([text], { type: `${formats[format].type};charset=utf-8` });
};

const mostCharacters = 60;

/** Returns a name that every system accepts: of letters and digits, with the day of the last change. */
export function fileNameOf({ title, updatedAt }: Pick<Conversation, 'title' | 'updatedAt'>, format: Format): string {
  const words = title.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const name = [...words.join('-').toLowerCase()].slice(0, mostCharacters).join('').replace(/-$/, '');
  // A time is ASCII.
  return `vigil-${name || 'conversation'}-${updatedAt.slice(0, 10)}.${formats[format].extension}`;
}

/** Messages are in Markdown already. Each has a heading with its author and time, and is followed by its calls. */
export function markdownOf({ title, agent, createdAt, messages, calls, callbacks }: Conversation): string {
  const drawn = (call: Call) =>
    callOf(
      call,
      callbacks.filter(({ callId }) => callId === call.id),
    );
  const steps = new Map<string, Call[]>();
  const stepOf = ({ runId, step }: { runId?: string; step?: number }) => `${runId} ${step}`;
  for (const call of calls) steps.set(stepOf(call), [...(steps.get(stepOf(call)) ?? []), call]);
  const parts = [`# ${oneLine(title) || 'Conversation'}`, `With ${oneLine(agent)}, begun ${createdAt}.`];
  for (const message of messages) {
    parts.push(headOf(message));
    parts.push(...hostedOf(message));
    if (message.text.trim()) parts.push(message.text.trim());
    parts.push(...filesOf(message));
    if (message.citations) parts.push('Cited:', referencesOf(message.citations));
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
    `### ${oneLine(plain(tool))} · ${status}`,
    ...(input ? [fenced(input)] : []),
    ...(sources.length > 0 ? ['Sources:', referencesOf(sources)] : []),
  ]);

/** Names the files; their bytes are not in the export. */
const filesOf = ({ parts = [] }: Message): string[] => {
  const files = parts.filter((part) => part.type === 'file');
  const lineOf = ({ filename = 'without a name', mediaType, size, id }: FilePart) =>
    `${oneLine(filename)} · ${oneLine(mediaType)} · ${bytesWords(size)} · ${id}`;
  return files.length > 0 ? ['Files:', fenced(files.map(lineOf).join('\n'))] : [];
};

/** As code, so that no title can look like anything else. */
const referencesOf = (references: Use['sources']): string =>
  fenced(references.map(({ title, url }) => [oneLine(title), url].filter(Boolean).join(' ')).join('\n'));

function callOf(call: Call, decisions: readonly Callback[]): string {
  const { tool, status, startedAt, createdAt, arguments: args, result, error } = call;
  const asked = decisions.filter(({ fields }) => fields !== undefined);
  const parts = [`### ${oneLine(plain(tool))} · ${status} · ${startedAt ?? createdAt}`];
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
