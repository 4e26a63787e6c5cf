import { withDraft } from '../hooks/drafts';
import { t } from '../languages/catalogue';
import type { Vigil } from '../state/vigil';
import { notify, type VigilStore } from '../state/vigil-state';
import { type DraftFile, type DraftFiles, filesAt, filesPlace, mostFiles, withFile } from './draft-files';
import { sizeWords, uploadProblem } from './file-words';
import type { Prepared } from './prepare';

/** Uploads the files of messages that are not sent yet, whatever is on the screen. A finished one has its id in the draft. */
export interface Uploads {
  add(place: string, files: readonly File[]): void;
  /** Uploads it again. @returns whether its bytes are still known: they are not after a reload. */
  canRetry(key: string): boolean;
  retry(place: string, key: string): void;
  /** Removes it from its message, and aborts what is under way. */
  remove(place: string, key: string): void;
  /** Says of files that were under way before a reload that they are lost. */
  recover(place: string): void;
  subscribe(changed: () => void): () => void;
  /** The part of each file that is sent, from 0 to 1. */
  progress(): ReadonlyMap<string, number>;
}

/** A browser cannot read more in one piece. */
const mostBytes = 2 ** 31 - 1;
/** Each is in memory while it is sent. */
const atOnce = 3;

const opened = new WeakMap<VigilStore, Uploads>();

export function uploadsOf(vigil: Pick<Vigil, 'store' | 'upload'>): Uploads {
  const uploads = opened.get(vigil.store) ?? openUploads(vigil);
  opened.set(vigil.store, uploads);
  return uploads;
}

function openUploads({ store, upload }: Pick<Vigil, 'store' | 'upload'>): Uploads {
  const sources = new Map<string, File | Prepared>();
  const running = new Map<string, AbortController>();
  const queue: (() => Promise<void>)[] = [];
  const listeners = new Set<() => void>();
  let parts: ReadonlyMap<string, number> = new Map();
  let preparing: Promise<unknown> = Promise.resolve();

  function put(place: string, change: (files: DraftFiles) => DraftFiles): void {
    store.setState(({ drafts }) => {
      const files = change(filesAt(drafts, place));
      return { drafts: withDraft(drafts, filesPlace(place), files.length > 0 ? files : undefined) };
    });
  }

  function report(key: string, part: number | undefined): void {
    const next = new Map(parts);
    if (part === undefined) next.delete(key);
    else next.set(key, part);
    parts = next;
    for (const changed of listeners) changed();
  }

  function begin(place: string, key: string): void {
    const control = new AbortController();
    running.set(key, control);
    put(place, (files) => withFile(files, key, { problem: undefined }));
    report(key, 0);
    queue.push(() => run(place, key, control));
    next();
  }

  let busy = 0;
  function next(): void {
    const work = busy < atOnce ? queue.shift() : undefined;
    if (!work) return;
    busy += 1;
    void work().finally(() => {
      busy -= 1;
      next();
    });
  }

  async function run(place: string, key: string, control: AbortController): Promise<void> {
    const change = (to: Partial<DraftFile>) => put(place, (files) => withFile(files, key, to));
    const { signal } = control;
    try {
      if (signal.aborted) return;
      const ready = await prepared(key);
      if (signal.aborted) return;
      const { name, mediaType, preview, file } = ready;
      change({ name, mediaType, preview, size: file.size });
      const onProgress = (bytes: number, all: number) => report(key, all > 0 ? bytes / all : 1);
      const stored = await upload(file, { signal, onProgress, filename: name });
      change({ id: stored.id, mediaType: stored.mediaType, size: stored.size });
      sources.delete(key);
    } catch (error) {
      if (!signal.aborted) change({ problem: uploadProblem(error) });
    } finally {
      if (running.get(key) === control) {
        running.delete(key);
        report(key, undefined);
      }
    }
  }

  async function prepared(key: string): Promise<Prepared> {
    const source = sources.get(key)!;
    if (!(source instanceof File)) return source;
    if (source.size > mostBytes)
      throw new Error(
        t('The file has {size}, more than a browser can send in one piece.', { size: sizeWords(source.size) }),
      );
    const { prepare } = await import('./prepare');
    // One at a time: a decoded photo takes hundreds of megabytes.
    const asked = preparing.then(() => prepare(source));
    preparing = asked.catch(() => undefined);
    const ready = await asked;
    if (sources.has(key)) sources.set(key, ready);
    return ready;
  }

  return {
    add(place, given) {
      const room = mostFiles - filesAt(store.getState().drafts, place).length;
      if (given.length > room)
        notify(
          store,
          t(
            'A message has at most {most} files; {count, plural, one {# file was not added} other {# files were not added}}.',
            { most: mostFiles, count: given.length - room },
          ),
        );
      const added = given.slice(0, room).map((file) => ({
        key: crypto.randomUUID(),
        name: file.name || 'file',
        mediaType: file.type,
        size: file.size,
        file,
      }));
      put(place, (files) => [...files, ...added.map(({ file, ...draft }) => draft)]);
      for (const { key, file } of added) {
        sources.set(key, file);
        begin(place, key);
      }
    },
    canRetry: (key) => sources.has(key),
    retry: begin,
    remove(place, key) {
      running.get(key)?.abort();
      sources.delete(key);
      put(place, (files) => files.filter((file) => file.key !== key));
    },
    recover(place) {
      const isLost = ({ key, id, problem }: DraftFile) =>
        id === undefined && problem === undefined && !running.has(key);
      const problem = t('The page was reloaded before the file was uploaded. Add it again.');
      if (filesAt(store.getState().drafts, place).some(isLost))
        put(place, (files) => files.map((file) => (isLost(file) ? { ...file, problem } : file)));
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    progress: () => parts,
  };
}
