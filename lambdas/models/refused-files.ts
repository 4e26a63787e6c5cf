import type { GuardedFile } from '../../core/base/content/parts';
import { ModelRejected } from '../../core/base/text/errors';
import { isContentRefusal, ThoughtsRefused } from './model-errors';
import { base64Of, type Media } from './shown-files';

/** The provider refuses a file of the request, which is in all later requests as well: a picture that it cannot open, for example. */
export class FilesRefused extends ModelRejected {
  /** The ids of the files of the request, the oldest first, and of those that the provider names. */
  readonly sent: readonly string[];
  readonly named: readonly string[];

  constructor(
    message: string,
    { sent, named, cause }: { sent: readonly string[]; named: readonly string[]; cause: Error },
  ) {
    super(message, { cause });
    this.sent = sent;
    this.named = named;
  }
}

/** What a server says of a file that it refuses, when it does not name the file by its place. */
const aboutFiles =
  /\b(?:images?|image_url|input_image|documents?|input_file|file_data|files?|pdf|pages?|media|media_type|multimodal|vision)\b/i;

/**
 * Returns the error of a request with files. A refusal whose words are about a file is that of the file.
 *
 * @param said what the server says, with the name of the field.
 * @param request as it was sent.
 */
export function ofFiles(error: Error, said: string, media: readonly Media[], request: () => object): Error {
  const { name, message, isLasting, tooLong } = error as ModelRejected;
  const isOther = name !== 'ModelRejected' || isLasting || tooLong || error instanceof ThoughtsRefused;
  // To ask again in other words would evade that.
  if (media.length === 0 || isOther || isContentRefusal(error) || !aboutFiles.test(said)) return error;
  const sent = [...new Set(media.map(({ id }) => id))];
  return new FilesRefused(message, { sent, named: namedFiles(request(), said, media), cause: error });
}

/** A place in a request, as providers write it: `messages.0.content.1.image.source`, `input[2].content[0]`. */
const place = /\b(?:messages|input)(?:\.?\[\d+\]|\.\w+)+/g;

/** Returns the ids of the files that a provider names: by their place in the request, or by the id. */
export function namedFiles(request: object, said: string, media: readonly Media[]): string[] {
  const byPlace = [...said.matchAll(place)].flatMap(([path]) => {
    const found = media.filter((one) => isIn(valueAt(request, path), one));
    // A message has several files, and its place says nothing.
    return new Set(found.map(({ id }) => id)).size === 1 ? found : [];
  });
  const byId = media.filter(({ id }) => said.includes(id));
  return [...new Set([...byPlace, ...byId].map(({ id }) => id))];
}

/** @returns the value at a path. A name that is no field is passed over: Anthropic writes the type of a block among the fields. */
function valueAt(request: object, path: string): unknown {
  let value: unknown = request;
  for (const name of path.match(/\w+/g) ?? [])
    if (typeof value === 'object' && value !== null && !isBytes(value) && Object.hasOwn(value, name))
      value = (value as Record<string, unknown>)[name];
  return value;
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

function isIn(value: unknown, media: Media): boolean {
  if (typeof value === 'string') return value.length > 0 && value.endsWith(base64Of(media));
  if (isBytes(value)) return value === media.bytes;
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => isIn(inner, media));
}

/** Requests with which refused files are looked for. Then all files are left out, and looked for again in the next step. */
const mostProbes = 24;

interface Search {
  files: readonly GuardedFile[];
  /** Asks for a word about these files alone. @returns whether the provider takes them. */
  isTaken(files: GuardedFile[]): Promise<boolean>;
}

/**
 * Looks for the files that a provider refuses. Those that it names are refused; otherwise perhaps the newest, which is left out, at no cost;
 * otherwise they are found by halves, in short requests of their own, which cost the tokens of the files.
 */
export function refusedFiles({ files, isTaken }: Search) {
  const certain = new Map<string, string>();
  let guessed: { id: string; why: string } | undefined;
  let all: string | undefined;
  let stage: 'begun' | 'guessed' | 'searched' | 'all' = 'begun';

  async function refusedOf(sent: readonly string[]): Promise<string[]> {
    let probes = 0;
    const search = async (ids: readonly string[], areRefused: boolean): Promise<string[]> => {
      if (!areRefused) {
        probes += 1;
        if (probes > mostProbes) return [];
        if (await isTaken(ids.map((id) => files.find((file) => file.id === id)!))) return [];
      }
      if (ids.length === 1) return [...ids];
      const middle = Math.ceil(ids.length / 2);
      return [...(await search(ids.slice(0, middle), false)), ...(await search(ids.slice(middle), false))];
    };
    const found = await search(sent.toReversed(), true);
    return probes > mostProbes ? [] : found;
  }

  return {
    /** Returns why a file is left out of the next request. */
    why: (id: string): string | undefined => all ?? certain.get(id) ?? (id === guessed?.id ? guessed.why : undefined),
    /** Returns the files that are refused, with the provider's words: the request was taken without them, also without what was left out by guess. */
    taken(): ReadonlyMap<string, string> {
      if (guessed) certain.set(guessed.id, guessed.why);
      return certain;
    },
    /** Decides what to leave out next. @returns false if no file is left. */
    async after({ sent, named, message }: FilesRefused): Promise<boolean> {
      if (stage === 'all') return false;
      const suspects = guessed ? [...sent, guessed.id] : sent;
      guessed = undefined;
      const known = named.length > 0 || sent.length > 1 ? named : sent;
      for (const id of known) certain.set(id, message);
      if (known.length > 0) return true;
      if (stage === 'begun') {
        stage = 'guessed';
        guessed = { id: sent.at(-1)!, why: message };
        return true;
      }
      const found = stage === 'guessed' ? await refusedOf(suspects) : [];
      for (const id of found) certain.set(id, message);
      stage = found.length > 0 ? 'searched' : 'all';
      if (stage === 'all') all = message;
      return true;
    },
  };
}
