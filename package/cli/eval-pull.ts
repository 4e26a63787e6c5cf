import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Api, type Conversation, createClient, type Message, pagesOf } from 'vigil-client';
import { wholeConversation } from 'vigil-client/shared';
import { ConfigurationError } from '../../core/base/text/errors';
import { urlIn } from '../../core/base/text/web-address';
import { pulledCase } from '../eval/pulled-case';
import type { StandIns } from '../eval/stand-ins';
import { withoutPersons } from '../eval/without-persons';

export interface EvalPullOptions {
  /** Whether to pull those with a message that is marked for the dataset. */
  marked: boolean;
  /** Whether to pull those with a reply that somebody has found bad. */
  down: boolean;
  /** How many of the latest conversations are looked at. */
  last: string;
  /** The address of the API. */
  url?: string;
  /** On this machine: whose conversations. */
  user?: string;
  /** More words that are replaced. */
  replace: string[];
}

const folder = 'evals';
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Reads conversations by the API, with the rights of the caller's token and no others, and writes each without personal data to
 * `evals/recorded`, and the beginning of an eval next to it. What is there already, which somebody may have reviewed, stays.
 *
 * @throws Error in one line.
 */
export async function pullConversations(
  ids: string[],
  { marked, down, last, url, user, replace }: EvalPullOptions,
  say: (text: string) => void,
): Promise<void> {
  const most = Number(last);
  if (!Number.isInteger(most) || most < 1)
    throw new ConfigurationError(`--last is "${last}": it must be a whole number of at least 1.`);
  if (ids.length === 0 && !marked && !down)
    throw new ConfigurationError('Say what to pull: ids of conversations, --marked or --down.');
  const { api } = createClient(await reached(url, user));
  const isWanted = ({ feedback = [] }: Message) =>
    feedback.some(({ dataset, verdict }) => (marked && dataset) || (down && verdict === 'down'));
  let pulled = 0;
  for (const id of ids) pulled += write(await wholeConversation(api, id), replace, say);
  if (marked || down)
    for (const id of await latestIds(api, most)) {
      const isFound = !ids.includes(id) && (await has(api, id, isWanted).catch(gone));
      if (isFound) pulled += write(await wholeConversation(api, id), replace, say);
    }
  say(
    pulled > 0
      ? `${pulled} pulled. Read them before you commit them: a name in the middle of a sentence is found only if a field, its person or --replace names it.`
      : 'Nothing new was pulled.',
  );
}

/** Whether a conversation has such a message. Its calls are not read for that. */
async function has(api: Api, id: string, isWanted: (message: Message) => boolean): Promise<boolean> {
  for (let after = 0; ; ) {
    const { messages, more } = await api.read(id, after);
    if (messages.some(isWanted)) return true;
    const last = messages.at(-1);
    if (!more || !last) return false;
    after = last.seq;
  }
}

/** A conversation may be deleted, or shared no more, after it was listed. */
function gone(error: Error & { status?: number }): undefined {
  if (error.status !== 404) throw error;
}

/** Returns the address and the token: on this machine, anybody is anybody. */
async function reached(given: string | undefined, user: string | undefined) {
  const { VIGIL_URL, VIGIL_TOKEN, PORT = '3000' } = process.env;
  const url = given ?? VIGIL_URL ?? `http://127.0.0.1:${PORT}`;
  const parts = urlIn(url);
  if (!parts) throw new ConfigurationError(`The address "${url}" is none: use one such as https://….`);
  const { protocol, hostname } = parts;
  const isLocal = localHosts.has(hostname);
  if (protocol !== 'https:' && !isLocal)
    throw new ConfigurationError(`The address ${url} would show your token to others: use https.`);
  if (VIGIL_TOKEN && user === undefined) return { url, token: () => VIGIL_TOKEN };
  if (!isLocal) throw new ConfigurationError('Set VIGIL_TOKEN to your access token (docs/api.md).');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ user: user ?? 'ada' });
  const answer = await fetch(new URL('/_local/token', url), { method: 'POST', headers, body }).catch(() => {
    throw new ConfigurationError(`Nothing answers at ${url}: start it with \`vigil start\`, or set VIGIL_URL.`);
  });
  const { token, detail } = (await answer.json().catch(() => ({}))) as { token?: string; detail?: string };
  if (token === undefined) throw new ConfigurationError(`${url} gives no token: ${detail ?? 'set VIGIL_TOKEN'}`);
  return { url, token: () => token };
}

/** Returns the latest conversations that the caller reads: their own, those that are put away, and those of others. */
async function latestIds(api: Api, most: number): Promise<string[]> {
  const found: { id: string; updatedAt: string }[] = [];
  for (const list of [api.list, api.listArchived, api.listShared]) {
    let count = 0;
    for await (const { conversations } of pagesOf((cursor) => list(cursor))) {
      found.push(...conversations);
      count += conversations.length;
      if (count >= most) break;
    }
  }
  const latest = found.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)).map(({ id }) => id);
  return [...new Set(latest)].slice(0, most);
}

/** @returns 1 if it was written, else 0. */
function write(recorded: Conversation, replace: string[], say: (text: string) => void): 0 | 1 {
  // The id may have words of its client, and a name that is none leaves the folder.
  const digest = createHash('sha256').update(recorded.id).digest('hex').slice(0, 8);
  const name = `${recorded.agent.replace(/[^\w-]/g, '_')}-${digest}`;
  if (recorded.status === 'running' || recorded.status === 'cancelling') {
    say(`${name} is left out: its run has not ended.`);
    return 0;
  }
  const { conversation, standIns } = withoutPersons(recorded, replace);
  const file = join(folder, 'recorded', `${name}.json`);
  if (!isNew(file, `${JSON.stringify(conversation, null, 2)}\n`)) {
    say(`${file} is there already, and stays.`);
    return 0;
  }
  say(`${file}: ${countsOf(standIns)}`);
  const made = pulledCase(conversation, name);
  const evalFile = join(folder, `${name}.eval.ts`);
  if (made && isNew(evalFile, made.code))
    say(
      `${evalFile}: say what must hold${made.left > 0 ? `. ${made.left} messages of other people are not in it` : ''}`,
    );
  return 1;
}

/** Writes a file, unless it is there. */
function isNew(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const countsOf = ({ counts }: StandIns): string =>
  counts.size === 0
    ? 'nothing was replaced'
    : `replaced ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`;
