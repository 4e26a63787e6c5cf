import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { withLimits } from './told-limits';

// biome-ignore lint/suspicious/noExplicitAny: results and schemas have any shape.
export type Json = any;
export type Call = { name: string; arguments: object };
/** A reply. The result is the object with which an agent with an `output` ends. */
export type Saying = {
  text?: string;
  calls?: Call[];
  result?: object /** Addresses of pictures. */;
  images?: string[];
};
/** How an agent ends. The server may hold the reply to it, and to nothing else. */
export type Output = { schema: Json; isEnforced: boolean };
/** An earlier call with its result, which may report a failure, a cancellation or an unknown outcome. */
export type PastCall = Call & { id: string; arguments: Record<string, unknown>; result: string; failed: boolean };

/** The basis of an answer. Everything comes from the request; no state is kept. */
export interface Turn {
  instructions: string;
  /** The tools, with the schemas of their arguments. */
  tools: Map<string, Json>;
  /** If the agent has an `output`. */
  output?: Output;
  /** The beginning of this turn: the user's message, or a note. The other is empty. */
  said: string;
  note: string;
  /** The calls since then, grouped by reply. */
  replies: PastCall[][];
  /** Since the assistant last finished: the calls, and the messages of timers. */
  recent: PastCall[];
  due: string[];
  calls: PastCall[];
  talk: { by: 'user' | 'assistant'; text: string }[];
}

export const call = (name: string, input: object = {}): Call => ({ name, arguments: input });

/** Vigil's notes are user messages with this prefix. */
const systemNote = /^\[A note from the system[^\]]*\] (.*)/s;
/** The lines that tell a model of files, after the words of a message. */
const fileLine = /^\[File (f_[\w-]{43}): (without a name|"(?:[^"\\]|\\.)*"), .*\]$/gm;
/** The names of the files that a message sends. */
export const sentFiles = (said: string): string[] => [...said.matchAll(fileLine)].map(([, , name = '']) => name);
export const withoutFiles = (said: string): string => said.replace(fileLine, '').trim();
/** Where the user is, or which files a reply has. It begins no turn. */
const placeNote =
  /^\[A note from the system[^\]]*\] (?:The user's (?:time zone|language) is |Your reply before this has these files)/;
/** A member's words, as a JSON string. */
const ofMember =
  /^"(?:[^"\\]|\\.)*", a member of this conversation who is not its owner, says:\n("(?:[^"\\]|\\.)*")(.*)$/s;
/** The stand-in does what anybody says; code asks the owner. */
const withoutSpeaker = (text: string): string => text.replace(ofMember, (_, words, files) => JSON.parse(words) + files);
/** The message of a timer. The group is the reminder's text, without the remark on its lateness. */
const dueNote =
  /^\[A note from .*?\] (?:⏰|🔁) (?:Due|Run by hand) at \S+(?:, as arranged at \S+| \([^)]*\)): (?!the tool \w+ is called\.)(.*?)(?: \((?:This comes late|(?:At least )?\d+ more of its times)[^)]*\))?$/su;
const failure =
  /^(?:\[The approver changed .*?\] )?\s*(?:Error\b|Cancelled\b|Outcome unknown\b|This was (?:not finished|done and has been undone))/is;

/** The end of the instructions of an agent with an `output`. */
const askedOutput = /JSON schema[^\n]*:\n(\{[^\n]*\})$/;

const instructionsOf = ([first]: ChatCompletionMessageParam[]): string =>
  first?.role === 'system' ? textOf(first) : '';

function outputOf({ messages, response_format: format }: ChatCompletionCreateParams): Output | undefined {
  const isEnforced = format?.type === 'json_schema';
  const told = askedOutput.exec(instructionsOf(messages))?.[1];
  const schema = isEnforced ? format.json_schema.schema : told && read(told);
  return schema && { schema: withLimits(schema), isEnforced };
}

export function readTurn(request: ChatCompletionCreateParams): Turn {
  const { messages, tools = [] } = request;
  const nothing = { said: '', note: '', replies: [], recent: [], due: [], calls: [], talk: [] };
  const turn: Turn = {
    instructions: instructionsOf(messages),
    tools: new Map(),
    output: outputOf(request),
    ...nothing,
  };
  for (const tool of tools)
    if (tool.type === 'function') turn.tools.set(tool.function.name, withLimits(tool.function.parameters ?? {}));
  // A note may begin a conversation: that of a schedule.
  let isOver = true;
  for (const message of messages) {
    const text = message.role === 'user' ? withoutSpeaker(textOf(message)) : textOf(message);
    if (message.role === 'user' && placeNote.test(text)) continue;
    if (message.role === 'user') {
      const [due] = dueNote.exec(text)?.slice(1) ?? [];
      // The text of a timer may be commands, as a user's may.
      const note = due?.startsWith('/') ? undefined : systemNote.exec(text)?.[1];
      if (isOver) Object.assign(turn, { recent: [], due: [] });
      if (note === undefined) turn.talk.push({ by: 'user', text });
      if (note === undefined || isOver)
        Object.assign(turn, { said: note === undefined ? (due ?? text) : '', note: note ?? '', replies: [] });
      if (due !== undefined) turn.due.push(due);
      isOver = false;
    } else if (message.role === 'assistant') {
      const asked = (message.tool_calls ?? []).flatMap((one) => (one.type === 'function' ? one : []));
      const calls = asked.map(({ id, function: { name, arguments: json } }) => ({
        id,
        name,
        arguments: read(json) ?? {},
        result: '',
        failed: false,
      }));
      isOver = calls.length === 0;
      if (!isOver) turn.replies.push(calls);
      turn.talk.push({ by: 'assistant', text });
      turn.recent.push(...calls);
      turn.calls.push(...calls);
    } else if (message.role === 'tool') {
      const call = turn.calls.findLast(({ id }) => id === message.tool_call_id);
      if (call) Object.assign(call, { result: text, failed: failure.test(text) });
    }
  }
  return turn;
}

const textOf = ({ content }: ChatCompletionMessageParam): string =>
  unquoted(
    (typeof content === 'string'
      ? content
      : (content ?? []).flatMap((part) => ('text' in part ? part.text : [])).join('\n')
    ).replace(ofFiles, ''),
  );

/** What a model is told of files besides their lines: their texts, and why one is not shown. They are no part of what the user says. */
const ofFiles =
  /\n?\[(?:The text of the file f_[\w-]{43}[^\]\n]*\] The following comes from [^\n]*\n"(?:[^"\\]|\\.)*"|The (?:file|picture) f_[\w-]{43} is (?:not|no longer) shown[^\n]*\])/g;

/** Reads words from outside, which Vigil quotes as JSON. */
const unquoted = (text: string): string =>
  text.replace(/The following comes from [^\n]*\n("(?:[^"\\]|\\.)*")/g, (_all, json) => JSON.parse(json));

/** Returns the JSON object at the end of a text. A note before it may contain braces, too. */
export function read(text: string): Json {
  for (let at = text.indexOf('{'); at >= 0; at = text.indexOf('{', at + 1)) {
    try {
      return JSON.parse(text.slice(at));
    } catch {}
  }
  return undefined;
}
