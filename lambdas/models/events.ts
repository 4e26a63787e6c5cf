import { ReadableStream } from 'node:stream/web';
import { ModelUnreadable } from '../../core/base/text/errors';

/** Far more than any whole reply has. */
const mostBytes = 20_000_000;

/** The last event of a stream: the server has said that nothing follows. */
export const done = Symbol('done');

/**
 * Yields the events of a reply, and `done` at its end. A server that ignores `stream` sends the whole reply, which is then the only event.
 *
 * @param decoded parses a stream of server-sent events, as the SDK of its API does.
 * @throws ModelUnreadable if the answer is neither.
 * @throws what the SDK throws.
 */
export async function* eventsIn(
  response: Response,
  decoded: (response: Response) => AsyncIterable<unknown>,
): AsyncGenerator<unknown> {
  const { bytes, begins } = await beginningOf(response.body);
  if (begins.startsWith('<'))
    throw new ModelUnreadable(`${answered} a page of HTML. Check the address of the provider.`);
  if (/^[{[]/.test(begins)) {
    yield* [wholeIn(await textOf(bytes))].flat();
    yield done;
    return;
  }
  if (begins && !/^(?::|data:|event:|id:|retry:)/.test(begins))
    throw new ModelUnreadable(`${answered} something that is no reply.`);
  let tail = '';
  async function* watched() {
    for await (const piece of bytes) {
      tail = (tail + Buffer.from(piece).toString('latin1')).slice(-endMark.length - 10);
      yield piece;
    }
  }
  const stream = new Response(ReadableStream.from(watched()) as unknown as BodyInit, { headers: response.headers });
  try {
    yield* decoded(stream);
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new ModelUnreadable(`${answered} events that are not JSON.`, { cause: error });
    throw error;
  }
  if (tail.includes(endMark)) yield done;
}

const answered = "The model's server answered with";
const endMark = '[DONE]';
/** The names of a stream's fields. */
const longestField = 'event:'.length;

type Bytes = AsyncIterable<Uint8Array>;

/** Reads the first characters, which tell what the answer is. */
async function beginningOf(body: Response['body']): Promise<{ bytes: Bytes; begins: string }> {
  const reader = ((body ?? []) as unknown as Bytes)[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let begins = '';
  while (begins.length < longestField && !/^[:<{[]/.test(begins) && read.length < 1_000) {
    const { done: isOver, value } = await reader.next();
    if (isOver) break;
    read.push(value);
    // Only read.
    begins = Buffer.concat(read).toString().replace('\uFEFF', '').trimStart().slice(0, longestField);
  }
  async function* all() {
    try {
      yield* read;
      for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value;
    } finally {
      await reader.return?.();
    }
  }
  return { bytes: all(), begins };
}

async function textOf(bytes: Bytes): Promise<string> {
  const read: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    read.push(piece);
    size += piece.length;
    if (size > mostBytes) throw new ModelUnreadable("The model's reply does not end.");
  }
  return Buffer.concat(read).toString().replace('\uFEFF', '');
}

function wholeIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelUnreadable(`${answered} something that is not JSON.`, { cause });
  }
}
