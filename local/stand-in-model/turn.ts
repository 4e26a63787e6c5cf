import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from 'openai/resources/chat/completions';

/** A tool call of the transcript with its result, if it has one. */
export interface PastCall {
  name: string;
  arguments: Record<string, unknown>;
  result?: string;
  /** Whether the result says that the call failed, was cancelled or has an unknown outcome. */
  failed: boolean;
}

/** What happened since the last time that the assistant had nothing left to do, in order. */
export type Happening = { said: string } | { call: PastCall } | { due: string };

/** What a skill decides from: everything is in the request, nothing is remembered between two. */
export interface Turn {
  /** The agent's instructions. */
  instructions: string;
  tools: string[];
  /** The user's last message; empty when a timer has begun what happens now. */
  said: string;
  happenings: Happening[];
  /** Since the user's last message. */
  callsSince: PastCall[];
  /** Every call of the transcript. */
  calls: PastCall[];
  /** Every word of the transcript that was said aloud, in order. */
  talk: { by: 'user' | 'assistant'; text: string }[];
}

/** Vigil tells the model things by a user message that says that it is none. */
const systemNote = /^\[A note from the system/;
/** What a timer puts into the conversation. What the reminder is about stands without what is said of its lateness. */
const dueNote =
  /\] (?:⏰|🔁) Due at \S+(?:, as arranged at \S+| \([^)]*\)): (?!the tool \w+ is called\.)([\s\S]*?)(?: \((?:This comes late|(?:At least )?\d+ more of its times)[^)]*\))?$/u;
/** Nobody wishes for more in one breath, and a reminder may be no longer than 2,000 characters. */
const longestSaid = 1_500;
const failure =
  /^\s*(?:\{"error"|Error\b|Cancelled\b|Outcome unknown\b|This was (?:not finished|done and has been undone))/i;

export function readTurn({ messages, tools }: ChatCompletionCreateParams): Turn {
  const calls = new Map<string, PastCall>();
  let happenings: Happening[] = [];
  let callsSince: PastCall[] = [];
  const talk: Turn['talk'] = [];
  let said = '';
  let over = false;
  for (const message of messages) {
    if (message.role === 'user') {
      const text = textOf(message).slice(0, longestSaid);
      const isNote = systemNote.test(text);
      const due = isNote ? dueNote.exec(text)?.[1] : undefined;
      if (isNote && due === undefined) continue;
      if (over) happenings = [];
      if (due === undefined || over) {
        said = due === undefined ? text : '';
        callsSince = [];
      }
      over = false;
      if (due === undefined) talk.push({ by: 'user', text });
      happenings.push(due === undefined ? { said } : { due });
    } else if (message.role === 'assistant') {
      over = !message.tool_calls?.length;
      talk.push({ by: 'assistant', text: textOf(message) });
      for (const asked of message.tool_calls ?? []) {
        if (asked.type !== 'function') continue;
        const call = { name: asked.function.name, arguments: argumentsOf(asked.function.arguments), failed: false };
        calls.set(asked.id, call);
        callsSince.push(call);
        happenings.push({ call });
      }
    } else if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id);
      if (!call) continue;
      call.result = textOf(message);
      call.failed = failure.test(call.result);
    }
  }
  const system = messages.find(({ role }) => role === 'system' || role === 'developer');
  return {
    instructions: system ? textOf(system) : '',
    tools: (tools ?? []).flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : [])),
    said,
    happenings,
    callsSince,
    calls: [...calls.values()],
    talk,
  };
}

function textOf({ content }: ChatCompletionMessageParam): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join(' ');
}

function argumentsOf(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The times in a tool's result, in the order in which they stand there. */
export const timesIn = (result: string): Date[] =>
  (result.match(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)/g) ?? []).map(
    (time) => new Date(time),
  );
