import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { type Client, createClient, type RequestFailed } from 'vigil-client';
import { untilAnswered } from 'vigil-client/shared';
import { readMeta, type Table } from '../../../../core/conversations/store/table';
import { readTransactions } from '../../../../tools/bank/ledger/store';
import { nextChange, tokenFor } from '../../api-client';
import type { Conversation } from '../../api-types';
import { wordsOf } from '../transcript';
import { type Kind, kinds, purpose } from './kinds';

export interface CrowdOptions {
  url: string;
  /** How many conversations. */
  count: number;
  /** The moment at which all wake that wait. */
  at: Date;
  /** Returns the id of a user by the number. */
  userOf(number: number): string;
  table: Table;
  /** Reads how far conversations are. By default, their rows one by one. */
  look?(ids: string[]): Promise<Map<string, Seen>>;
  /** When it stops waiting, and says what is missing. */
  signal?: AbortSignal;
  /** Called at each end of a phase. */
  ended?(phase: Phase, ms: number): void;
}

export type Phase = 'started' | 'rested' | 'woken';

/** What a conversation's row says. */
export interface Seen {
  status: string;
  /** The number of its latest run. */
  runs: number;
}

interface Member {
  id: string;
  kind: Kind;
  client: Client;
  isAnswered?: true;
}

/** Looked at so often at most. */
const lookMs = 500;
/** Given up if nothing has changed for so long. */
const patienceMs = 180_000;
const atRest = ['done', 'failed', 'limited', 'cancelled'];

/**
 * Starts conversations of all kinds at the same moment. People answer what waits for them as soon as it waits. When all have ended or
 * sleep, the clock moves to the moment at which those that wait wake.
 *
 * @returns what is wrong with the conversations that have not ended as they should, and how many attempts at calls were not the first.
 */
export async function playCrowd(options: CrowdOptions): Promise<{ problems: string[]; repeated: number }> {
  const { url, count, at, table, signal, look = (ids) => lookAt(table, ids), ended = () => undefined } = options;
  const clients = new Map<string, Client>();
  const members = Array.from({ length: count }, async (_, number): Promise<Member> => {
    const user = options.userOf(Math.floor(number / kinds.length));
    const client = clients.get(user) ?? (await clientOf(url, user));
    clients.set(user, client);
    return { id: '', client, kind: kinds[number % kinds.length]! };
  });
  const crowd = await Promise.all(members);
  await phase('started', () =>
    Promise.all(
      crowd.map(async (member) => {
        const { agent, says: text } = member.kind;
        const started = member.client.start({ agent, text }, signal);
        member.id = await started.then(
          ({ id }) => id,
          (error) => {
            if (!signal?.aborted) throw error;
            return '';
          },
        );
      }),
    ),
  );
  await phase('rested', () => until(({ kind }, { status }) => status === kind.rests));
  await phase('woken', async () => {
    await post(`${url}/_local/clock`, { to: at.toISOString(), jump: true });
    await until(({ kind }, { status, runs }) => status === 'done' && runs === kind.runs);
  });
  const found = { problems: [] as string[], repeated: 0 };
  // One after another, because this is no part of the crowd.
  for (const member of crowd) {
    const { problem, repeated } = await outcomeOf(table, member);
    if (problem) found.problems.push(problem);
    found.repeated += repeated;
  }
  return found;

  async function phase(name: Phase, work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    ended(name, performance.now() - began);
  }

  /** Looks until this holds for all conversations, or one cannot reach it any more, and answers what waits for a person. */
  async function until(holds: (member: Member, seen: Seen) => boolean): Promise<void> {
    const answers: Promise<unknown>[] = [];
    let [before, changed] = ['', performance.now()];
    let open = crowd.filter(({ id }) => id);
    for (let writes = 0; open.length > 0; ) {
      writes = await nextChange(url, writes, lookMs);
      const seen = await look(open.map(({ id }) => id));
      for (const member of open) {
        if (member.isAnswered || seen.get(member.id)?.status !== 'waiting') continue;
        member.isAnswered = true;
        answers.push(approve(member));
      }
      open = open.filter((member) => {
        const one = seen.get(member.id)!;
        const isLost = atRest.includes(one.status) && one.status !== 'done';
        return !isLost && !holds(member, one);
      });
      const now = JSON.stringify([...seen]);
      if (now !== before) changed = performance.now();
      before = now;
      if (performance.now() - changed > patienceMs || signal?.aborted) break;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    await Promise.all(answers);
  }
}

async function lookAt(table: Table, ids: string[]): Promise<Map<string, Seen>> {
  const rows = await Promise.all(ids.map((id) => readMeta(table, id)));
  return new Map(rows.flatMap((row) => (row ? [[row.conversationId, row] as const] : [])));
}

async function clientOf(url: string, user: string): Promise<Client> {
  let token = await tokenFor(url, user);
  return createClient({
    url,
    async token({ expired }) {
      // The clock was moved.
      if (expired) token = await tokenFor(url, user);
      return token;
    },
  });
}

async function approve({ id, client }: Member): Promise<void> {
  const { callbacks } = await untilAnswered(() => client.api.read(id, 0));
  await untilAnswered(() => client.api.answer(id, callbacks[0]!.id, { approved: true })).catch(
    (error: RequestFailed) => {
      // An approval whose answer was lost: the request is repeated, and the first one holds.
      if (error.status !== 409) throw error;
    },
  );
}

async function outcomeOf(table: Table, { id, client, kind }: Member) {
  if (!id) return { problem: `${kind.name}: has not started`, repeated: 0 };
  const conversation: Conversation = await untilAnswered(() => client.api.read(id, 0));
  const { status, calls } = conversation;
  // A timer's note names the time at which it was ordered.
  const words = wordsOf({ messages: conversation.messages.filter(({ role }) => role !== 'system') });
  const wrong = [
    ...(status === 'done' ? [] : [`is ${status}`]),
    ...(isDeepStrictEqual(words, kind.words) ? [] : [`says ${JSON.stringify(words)}`]),
    ...calls.filter((call) => call.status !== 'completed').map((call) => `${call.tool} is ${call.status}`),
    ...(kind.agent === 'account-manager' ? await wrongPayments(table, id) : []),
  ];
  const problem = wrong.length > 0 ? `${kind.name} (${id}): ${wrong.join(', ')}` : undefined;
  return { problem, repeated: calls.reduce((sum, { attempts }) => sum + Math.max(0, attempts - 1), 0) };
}

/** The account of each user makes one payment. */
async function wrongPayments(table: Table, id: string): Promise<string[]> {
  const { owner } = (await readMeta(table, id))!;
  const made = (await readTransactions(table, owner, 100)).filter((one) => one.purpose === purpose).length;
  return made === 1 ? [] : [`has paid ${made} times`];
}

const post = (url: string, body: object) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
