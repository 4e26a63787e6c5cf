import type { Call, Json, PastCall, Turn } from '../turn';

/** What each tool has answered: its JSON, or its text. */
export type Results = Record<string, Json>;
/** What the model says at one point: text, which ends the turn, or calls. What came of the calls so far may decide on it. */
type Reply = string | Call[] | ((results: Results, calls: PastCall[]) => string | Call[] | undefined);
export type Replies = (said: RegExpExecArray, turn: Turn) => Reply[];
/** How one kind of message is played, and by whom: an agent that is known by tools that it has, and has not (`!tool`). */
export type Script = { agent: string; needs: string[]; says: RegExp; replies: Replies };
export const script = (agent: string, tools: string, says: RegExp, replies: Replies): Script => {
  return { agent, needs: tools.split(' '), says, replies };
};

export function listed(heading: string, rows: Json[] = []): string | undefined {
  const lines = rows.map(({ at, text }) => `\n- ${at ? `${at.slice(0, 10)} ` : ''}${text}`);
  return lines.length > 0 ? heading + lines.join('') : undefined;
}

const result = /^\d+\. (?<title>.+)\n {3}(?<link>https?:\/\/\S+)(?:\n {3}(?<snippet>.+))?/gm;
export const found = ({ internet_search: list }: Results): Json[] =>
  [...list.matchAll(result)].map(({ groups }) => groups);
