import { setTimeout as sleep } from 'node:timers/promises';
import { problemIn, type UserFile } from 'vigil-client/shared';
import { filePartsIn } from '../../core/base/content/parts';
import type { Conversation } from '../../core/base/state/schemas';
import { parseDuration } from '../../core/base/time/duration';
import { isAtRest, signIn, type User } from '../support/api-client';
import type { ServedCloud } from '../support/clouds/served-cloud';
import { digestOf } from '../support/memory-file-store';
import type { ThirdParty } from '../support/servers/third-party';
import type { MortalCloud } from './mortal-cloud';
import { readTable } from './table-reader';

/** What a story can do. Every request is made again, under the same ids, until the cloud has answered it. */
export interface World {
  thirdParty: ThirdParty;
  /** The conversations that were started. */
  readonly conversations: string[];
  /** Starts a conversation under an id that the story chooses. Its files are uploaded first. */
  start(agent: string, text: string, id?: string, files?: readonly StoryFile[]): Promise<void>;
  /** Downloads the files of messages and results: their ids and contents. */
  files(id?: string): Promise<string[]>;
  say(text: string, id?: string): Promise<void>;
  /** Makes a timer with a conversation of its own, and changes, runs and cancels it. */
  startTimer(body: { text: string; [field: string]: unknown }): Promise<void>;
  changeTimer(body: object): Promise<void>;
  runTimer(clientMessageId: string): Promise<void>;
  endTimer(): Promise<void>;
  /** Answers the callback that is pending: `{answer}`, or what else the API takes. `by`: an approver, if not the owner. */
  answer(body: object, id?: string, by?: { user: string; groups: string[] }): Promise<void>;
  cancel(id?: string): Promise<void>;
  /** Delivers to the first address that a tool has given to the third party and that nothing was delivered to yet. */
  deliver(payload: object): Promise<void>;
  /** Waits until it is so. Whenever nothing happens, the clock is moved on by `step`, so that retries, timers and sleepers come due. */
  until(
    holds: (conversation: Conversation) => boolean,
    options?: { id?: string; step?: string },
  ): Promise<Conversation>;
  /** Waits until the conversation's run rests: done, failed, limited or cancelled. */
  finished(id?: string): Promise<Conversation>;
  /** Moves the clock by an ISO 8601 duration, once, whatever dies. */
  advance(duration: string): Promise<void>;
  /** The conversation as the API shows it. */
  read(id?: string): Promise<Conversation>;
}

/** A text file that a user sends. */
export interface StoryFile {
  filename: string;
  content: string;
}

/** How a story's world differs where many stories are told in one cloud. */
export interface Surroundings {
  user?: string;
  /** Moves the clock for all of them. Without it, each story moves the clock itself whenever nothing happens. */
  clock?: SharedClock;
}

export interface SharedClock {
  /** Says that something has happened: the clock stays as it is for a while. */
  busy(): void;
  /** Returns once the clock has moved that far. */
  pass(milliseconds: number): Promise<void>;
}

const ours = 'story';
const step = 'PT1M';
const patienceMs = 90_000;
/** Until many stories have been told, with all that dies meanwhile. */
const patienceTogetherMs = 1_200_000;
const idleMs = 250;
/** What is at work when the clock is to be moved may end first. What hangs is timed out. */
const withinMs = 8_000;

export function worldIn(
  cloud: MortalCloud,
  thirdParty: ThirdParty,
  { user: name = 'ada', clock }: Surroundings = {},
): World {
  const patience = clock ? patienceTogetherMs : patienceMs;
  const conversations: string[] = [];
  const users = new WeakMap<ServedCloud, Promise<User>>();
  const delivered = new Set<string>();
  let said = 0;

  async function userOf(served: ServedCloud): Promise<User> {
    const user = users.get(served) ?? signIn(served.url, name);
    users.set(served, user);
    user.catch(() => users.delete(served));
    return user;
  }

  /** Asks until there is an answer: what is down starts again, a function that crashed is there the next time. */
  async function persist<Answer>(ask: (served: ServedCloud) => Promise<Answer>): Promise<Answer> {
    const end = Date.now() + patience;
    for (;;) {
      const served = await cloud.up();
      try {
        return await ask(served);
      } catch (error) {
        if (error instanceof Refused || Date.now() > end) throw error;
        await sleep(15);
      }
    }
  }

  /** @param done what a repeated request may be told when the first one was done and its answer lost. */
  async function request(
    method: string,
    path: string,
    body: object | undefined,
    done: number[] = [],
    by?: { user: string; groups: string[] },
  ) {
    return persist(async (served) => {
      const user = by ? signIn(served.url, by.user, by.groups) : userOf(served);
      const answer = await (await user).request(method, path, body);
      // The clock may have moved beyond a token while its request was on the way.
      if (answer.status >= 500 || answer.status === 401)
        throw problemIn({ status: answer.status, text: JSON.stringify(answer.body) });
      if (answer.status >= 400 && !done.includes(answer.status)) throw new Refused(path, answer.body);
      return answer.body;
    });
  }

  const look = (id: string) => persist((served) => readTable(served, id));

  async function moveTo(time: number): Promise<void> {
    await persist(async ({ url }) => {
      const to = new Date(time).toISOString();
      const body = JSON.stringify({ to, withinMs, jump: true });
      const answer = await fetch(`${url}/_local/clock`, { method: 'POST', body });
      // It was there already: the process died between the move and its answer.
      if (!answer.ok && answer.status !== 400) throw new Error(await answer.text());
    });
  }

  /** Each attempt asks for an address again: the cloud has another one after it was killed. */
  const uploaded = ({ filename, content }: StoryFile) =>
    persist(async () => {
      const bytes = Buffer.from(content);
      const announced = { size: bytes.length, mediaType: 'text/plain', sha256: digestOf(bytes) };
      const { id, upload } = (await request('POST', '/files', announced)) as UserFile;
      if (upload) {
        const answer = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes });
        if (!answer.ok) throw new Error(`status ${answer.status}`);
      }
      await request('POST', `/files/${id}/complete`, undefined);
      return { type: 'file' as const, id, filename };
    });

  /** The ids of the conversations, by those that the story chose. */
  const ids = new Map<string, string>();
  const idOf = (id: string) => ids.get(id) ?? id;

  const timer = { path: '' };
  const world: World = {
    thirdParty,
    conversations,
    async start(agent, text, id = ours, files = []) {
      const parts = await Promise.all(files.map(uploaded));
      const said = files.length > 0 ? { parts: [{ type: 'text', text }, ...parts] } : { text };
      const begun = (await request('POST', '/conversations', { agent, id, ...said })) as Conversation;
      ids.set(id, begun.id);
      conversations.push(begun.id);
    },
    async files(id = ours) {
      const { messages, calls } = await world.read(id);
      const found = filePartsIn([messages.map(({ parts }) => parts), calls.map(({ result }) => result)]);
      const contents = found.map(async (file) => {
        const content = await persist(async () => {
          const path = `/conversations/${idOf(id)}/files/${file.id}`;
          const { url } = (await request('GET', path, undefined)) as { url: string };
          const answer = await fetch(url);
          if (!answer.ok) throw new Error(`status ${answer.status}`);
          return answer.text();
        });
        return `file ${file.id}: ${JSON.stringify(content)}`;
      });
      return (await Promise.all(contents)).sort();
    },
    async say(text, id = ours) {
      said += 1;
      await request('POST', `/conversations/${idOf(id)}/messages`, { text, clientMessageId: `said-${said}` });
    },
    async startTimer(body) {
      const made = (await request('POST', '/timers', { ...body, id: ours })) as { id: string; conversationId: string };
      timer.path = `/timers/${made.id}`;
      ids.set(ours, made.conversationId);
      conversations.push(made.conversationId);
    },
    changeTimer: async (body) => void (await request('PATCH', timer.path, body)),
    runTimer: async (clientMessageId) => void (await request('POST', `${timer.path}/run`, { clientMessageId })),
    endTimer: async () => void (await request('DELETE', timer.path, undefined)),
    async answer(body, id = ours, by = undefined) {
      const { callbacks } = await world.until(({ callbacks }) => callbacks.some(isPending), { id });
      await request('POST', `/conversations/${idOf(id)}/callbacks/${callbacks.find(isPending)!.id}`, body, [409], by);
    },
    async cancel(id = ours) {
      await request('POST', `/conversations/${idOf(id)}/cancel`, undefined, [409]);
    },
    async deliver(payload) {
      await persist(async ({ url }) => {
        const path = addressesIn(thirdParty).find((one) => !delivered.has(one));
        if (!path) throw new Error('Nobody has asked for a delivery yet.');
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(payload) });
        if (answer.status >= 500) throw new Error(await answer.text());
        if (answer.status >= 400 && answer.status !== 409) throw new Refused(path, await answer.text());
        delivered.add(path);
      });
    },
    async until(holds, { id = ours, step: move = step } = {}) {
      const end = Date.now() + patience;
      let seen = '';
      let since = Date.now();
      for (;;) {
        const conversation = await look(idOf(id));
        if (holds(conversation)) return conversation;
        const now = JSON.stringify(conversation);
        if (now !== seen) {
          [seen, since] = [now, Date.now()];
          clock?.busy();
        }
        if (Date.now() > end) throw new Error(`Not within ${patience} ms: ${JSON.stringify(conversation, null, 1)}`);
        if (!clock && Date.now() - since > idleMs) {
          await world.advance(move);
          since = Date.now();
        }
        await sleep(clock ? 200 : 15);
      }
    },
    finished: (id) => world.until(isAtRest, { id }),
    async advance(duration) {
      if (clock) return clock.pass(parseDuration(duration)!);
      const now = await persist(
        async ({ url }) => (await (await fetch(`${url}/_local/clock`)).json()) as { now: string },
      );
      await moveTo(Date.parse(now.now) + parseDuration(duration)!);
    },
    read: async (id = ours) => (await request('GET', `/conversations/${idOf(id)}`, undefined)) as Conversation,
  };
  return world;
}

/** Without the host: a cloud that starts again has another port. */
const addressesIn = ({ bodies }: ThirdParty): string[] =>
  bodies.flatMap((body) => {
    const { webhookUrl } = (body || {}) as { webhookUrl?: string };
    return webhookUrl ? [new URL(webhookUrl).pathname] : [];
  });

const isPending = ({ status }: Conversation['callbacks'][number]) => status === 'pending';

class Refused extends Error {
  override name = 'Refused';
  constructor(path: string, body: unknown) {
    super(`${path}: ${JSON.stringify(body)}`);
  }
}
