import { asksFor, decisionLines } from 'vigil-client/shared';
import * as z from 'zod';
import { type FilePart, filePartsIn, filesOf } from '../../core/base/content/parts';
import { type Conversation, RunStatus } from '../../core/base/state/schemas';
import { fitting } from '../../core/base/text/fitting';
import { uriOf } from './files';
import type { Place } from './talk';

const File = z.object({
  uri: z.string().describe('Its address for resources/read'),
  name: z.string().optional(),
  mimeType: z.string(),
  size: z.number().int().describe('In bytes'),
});

/** The state of a conversation, and what was said in it since a message. The tools return this as structured content. */
export const Turn = z.object({
  conversation: z.string().describe('The id of the conversation'),
  agent: z.string().describe('The agent that reads the next message'),
  status: z
    .enum(['idle', ...RunStatus.options])
    .describe('Of the run: `done`, `failed`, `limited` and `cancelled` are ends'),
  messages: z.array(
    z.object({
      seq: z.number().int(),
      from: z.string().describe('`user`, or the name of an agent or a tool'),
      text: z.string(),
      files: File.array().optional(),
    }),
  ),
  more: z.boolean().describe('Whether there are further messages: read those after the last one here'),
  files: File.array().describe('What tools have made or found'),
  result: z.record(z.string(), z.unknown()).optional().describe('The typed answer of an agent that has one'),
  questions: z.array(z.object({ id: z.string(), prompt: z.string(), expiresAt: z.string() })),
  approvals: z
    .array(z.object({ tool: z.string(), prompt: z.string(), asked: z.array(z.string()), expiresAt: z.string() }))
    .describe('What people decide about. No tool decides it'),
  until: z.string().optional().describe('While `sleeping`: when the run wakes'),
  reason: z.string().optional().describe('Why the run ended, unless it is `done`'),
  page: z.string().optional().describe('The conversation on the page, where people approve'),
});
export type Turn = z.infer<typeof Turn>;

/** Returns the agent's open question since the message at a place. */
export function openQuestion(
  { callbacks, messages }: Conversation,
  { seq }: Place,
): Conversation['callbacks'][number] | undefined {
  const since = messages.find((message) => message.seq === seq)?.createdAt;
  return callbacks.find(
    ({ kind, status, createdAt }) =>
      asksFor(kind, 'answer') && status === 'pending' && since !== undefined && (createdAt ?? '') >= since,
  );
}

/** Models read an answer at once, so it is shorter than what a Lambda may return. */
const messageBytes = 200_000;

/** @param page the address of the page. */
export function turnOf(conversation: Conversation, page?: string): Turn {
  const { id, agent, status, until, run } = conversation;
  const said = conversation.messages.filter(
    ({ text, parts, covers, status }) => (text !== '' || parts) && covers === undefined && status !== 'streaming',
  );
  const messages = fitting(said, messageBytes);
  const open = conversation.callbacks.filter((one) => one.status === 'pending');
  return {
    conversation: id,
    agent,
    status,
    messages: messages.map((message) => {
      const { seq, role, author, text } = message;
      const files = filesOf(message).map((file) => fileOf(id, file));
      return { seq, from: role === 'user' ? 'user' : author, text, ...(files.length > 0 && { files }) };
    }),
    files: madeBy(conversation).map((file) => fileOf(id, file)),
    more: conversation.more || messages.length < said.length,
    result: run?.result,
    questions: open
      .filter(({ kind }) => asksFor(kind, 'answer'))
      .map(({ id, prompt, expiresAt }) => ({ id, prompt, expiresAt })),
    approvals: open
      .filter(({ kind }) => asksFor(kind, 'decision'))
      .map((one) => ({
        tool: one.tool ?? '',
        prompt: one.prompt,
        expiresAt: one.expiresAt,
        asked: decisionLines(one),
      })),
    until: status === 'sleeping' ? until : undefined,
    reason: run?.reason,
    page: page && `${page}/#/c/${id}`,
  };
}

/** The most files that a turn names. */
const mostFiles = 50;

/** Files of the results of calls. */
const madeBy = ({ calls }: Conversation): FilePart[] =>
  filePartsIn(calls.map(({ status, result }) => (status === 'completed' ? result : undefined))).slice(0, mostFiles);

const fileOf = (conversation: string, { id, filename, mediaType, size }: FilePart): z.infer<typeof File> => ({
  uri: uriOf(conversation, id),
  mimeType: mediaType,
  size,
  ...(filename !== undefined && { name: filename }),
});

/** Returns the files of the turn, each once, without those of its own message. */
export function filesOfTurn(conversation: Conversation, { messages }: Turn, ownSeq?: number): FilePart[] {
  const seqs = new Set(messages.map(({ seq }) => seq));
  const said = conversation.messages.filter(({ seq }) => seq !== ownSeq && seqs.has(seq)).flatMap(filesOf);
  return [...new Map([...said, ...madeBy(conversation)].map((file) => [file.id, file])).values()].slice(0, mostFiles);
}

/** The same in words, because many clients give their model only those. */
export function wordsOf(turn: Turn, ownSeq?: number): string {
  const said = turn.messages.filter(({ seq }) => seq !== ownSeq).map(({ from, text }) => `${from}: ${text}`);
  return [...said, ...notesOn(turn), `Conversation: ${turn.conversation}`].join('\n\n');
}

function notesOn({ status, messages, more, questions, approvals, until, reason, page, result }: Turn): string[] {
  const onPage = page ? ` on the page: ${page}` : ', on the page or by the API.';
  return [
    ...(more ? [`There are further messages. Read them with after: ${messages.at(-1)?.seq}.`] : []),
    ...(result ? [`Result: ${JSON.stringify(result)}`] : []),
    ...questions.map(
      ({ id, prompt }) =>
        `The agent asks its user: ${prompt}\nSend the user’s answer as a message, with question: ${id}`,
    ),
    ...approvals.map(
      ({ tool, asked }) => `${tool} waits for a person’s approval: ${asked.join('\n')}\nA person decides${onPage}`,
    ),
    ...(questions.length + approvals.length === 0 ? [standing(status, until, reason)] : []),
  ];
}

function standing(status: Turn['status'], until?: string, reason?: string): string {
  switch (status) {
    case 'running':
    case 'cancelling':
      return 'The agent still works. Call read_conversation to look again.';
    case 'sleeping':
      return `The agent sleeps until ${until}, and then goes on by itself. Call read_conversation to look again.`;
    case 'waiting':
      return 'The agent waits for somebody else, and then goes on by itself. Call read_conversation to look again.';
    case 'done':
      return 'The agent is done.';
    case 'idle':
      return 'The agent has not been asked anything.';
    default:
      return `The run is ${status}${reason ? `: ${reason}` : '.'}`;
  }
}
