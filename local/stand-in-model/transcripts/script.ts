import type { Call, Json, PastCall, Turn } from '../turn';

/** The result of each tool: its JSON, or its text. */
export type Results = Record<string, Json>;
/** Calls, perhaps with words before them. */
type Calls = Call[] | { text: string; calls: Call[] };
/** A reply of the model: text, which ends the turn, or calls. It may depend on the results so far. */
type Reply = string | Calls | ((results: Results, calls: PastCall[]) => string | Calls | undefined);
export type Replies = (said: RegExpExecArray, turn: Turn) => Reply[];
/**
 * A script for one kind of message. Its agent is recognized by the tools that it has and, where others have the same ones, by the
 * beginning of its instructions.
 */
export type Script = { agent: string; needs: string[]; begins?: string; says: RegExp; replies: Replies };
export const script = (agent: string, tools: string, says: RegExp, replies: Replies, begins?: string): Script => {
  return { agent, needs: tools.split(' '), begins, says, replies };
};

export function listed(heading: string, rows: Json[] = []): string | undefined {
  const lines = rows.map(({ at, text }) => `\n- ${at ? `${at.slice(0, 10)} ` : ''}${text}`);
  return lines.length > 0 ? heading + lines.join('') : undefined;
}

const result = /^\d+\. (?<title>.+)\n {3}(?<link>https?:\/\/\S+)(?:\n {3}(?<snippet>.+))?/gm;
export const found = ({ internet_search: list }: Results): Json[] =>
  [...list.matchAll(result)].map(({ groups }) => groups);
