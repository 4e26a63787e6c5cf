import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { readBody } from '../../local/app/http-server';
import { errorBody, listen } from '../../local/model-server/listen';
import { withoutIdsAndTimes } from './same-words';

/** A server in front of a provider of models, for its base URL. It keeps replies, and gives them again to the same requests. */
export interface RecordedReplies {
  url: string;
  /** Requests that a kept reply has answered, that the provider has answered, and that nobody could answer. */
  counts: { kept: number; asked: number; missing: number };
  stop(): Promise<void>;
}

interface Options {
  /** The folder of the replies, a file for each request. */
  folder: string;
  /** The base URL of the provider. Without one, a request without a kept reply is refused. */
  provider?: string;
}

interface Kept {
  /** One for each time that the same request came. */
  replies: { type: string; body: string }[];
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

const maxBytes = 64_000_000;
const ofConnection = new Set(['host', 'connection', 'content-length', 'accept-encoding', 'transfer-encoding']);

/**
 * Keeps a reply for each request, by its digest. The n-th time that the same request comes, it gets its n-th reply, because
 * trials differ.
 */
export async function openRecordedReplies({ folder, provider }: Options): Promise<RecordedReplies> {
  const counts = { kept: 0, asked: 0, missing: 0 };
  const timesOf = new Map<string, number>();

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = request.url ?? '/';
    const body = (await readBody(request, maxBytes)).toString();
    const digest = digestOf(path, body);
    const file = join(folder, `${digest}.json`);
    const time = timesOf.get(digest) ?? 0;
    timesOf.set(digest, time + 1);
    const reply = keptIn(file)?.replies[time];
    if (reply) {
      counts.kept += 1;
      return { ...reply, status: 200 };
    }
    if (provider === undefined) {
      counts.missing += 1;
      return refused(400, `There is no recorded reply ${digest} to this request: record it with a key.`);
    }
    counts.asked += 1;
    const asked = await ask(provider + path, request, body);
    // A failure is not kept: the next attempt may succeed.
    if (asked.status === 200)
      keep(folder, file, [...(keptIn(file)?.replies ?? []), { type: asked.type, body: asked.body }]);
    return asked;
  }

  const { url, stop } = await listen(async (request, response) => {
    const { status, type, body } = await answer(request).catch((error: Error) => refused(502, error.message));
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  });
  return { url, counts, stop };
}

/** A stream is passed on when it is whole: a reply that was cut is not kept. */
async function ask(url: string, { method, headers }: IncomingMessage, body: string): Promise<Answer> {
  const passed = Object.entries(headers).filter(
    ([name, value]) => typeof value === 'string' && !ofConnection.has(name),
  );
  const answer = await fetch(url, {
    method,
    headers: Object.fromEntries(passed) as Record<string, string>,
    ...(method !== 'GET' && { body }),
  });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', body: await answer.text() };
}

const refused = (status: number, message: string): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(errorBody(message)),
});

const keptIn = (file: string): Kept | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Kept) : undefined;

/** Whole or not at all: a rename within a folder is atomic. */
function keep(folder: string, file: string, replies: Kept['replies']): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ replies } satisfies Kept, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** The fields that name a conversation to caches, and nothing that a model reads. */
const unread = new Set(['prompt_cache_key', 'safety_identifier', 'user']);
/** Returns the digest of what a model reads, in hex. */
function digestOf(path: string, body: string): string {
  const read = withoutIdsAndTimes(withoutUnread(body));
  return createHash('sha256')
    .update(JSON.stringify([path, read]))
    .digest('hex')
    .slice(0, 32);
}

function withoutUnread(body: string): string {
  try {
    const fields = Object.entries(Object(JSON.parse(body))).filter(([name]) => !unread.has(name));
    return JSON.stringify(Object.fromEntries(fields));
  } catch {
    return body;
  }
}
