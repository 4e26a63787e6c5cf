import { filePartsIn, filesOf, type Part } from '../../core/base/content/parts';
import { Throttled } from '../../core/base/text/errors';
import type { FileRow } from '../../core/conversations/files/file-row';
import type { FileStore } from '../../core/conversations/files/file-store';
import type { SentPart } from '../../core/conversations/files/references';
import { storedFile } from '../../core/conversations/files/stored-file';
import { beginUpload, completeUpload } from '../../core/conversations/files/upload';
import type { Table } from '../../core/conversations/store/table';
import { digestOf, memoryFileStore } from '../support/memory-file-store';
import type { Row } from './memory-table';
import type { Invocation, World } from './world';

export const most = { file: 100, day: 10_000, all: 10_000, count: 100 };
/** Few, so that conversations have the same ones, and tools make what users upload. */
export const contents = ['a receipt', 'a contract', 'a picture'];

/** The files of the user: uploads that break off, and a store that fails. */
export class UserFiles {
  private readonly store = memoryFileStore();

  constructor(
    private readonly world: World,
    private readonly user: string,
  ) {}

  storeOf(invocation: Invocation): FileStore {
    const may = ['dies-before', 'dies-after', 'zombie', 'error-500', 'lost'] as const;
    const through = async <Answer>(what: string, work: () => Promise<Answer>): Promise<Answer> => {
      const done = this.world.request(`the store ${what}`, invocation, may, () => work());
      return (await done.catch((error: Error) => {
        if (error.name === 'NotFound') throw error;
        throw new Throttled('The store does not answer.');
      })) as Answer;
    };
    const { store } = this;
    return {
      ...store,
      find: (key) => through('finds', () => store.find(key)),
      read: (key) => through('reads', () => store.read(key)),
      write: (file, bytes) => through('writes', () => store.write(file, bytes)),
      delete: (key) => through('deletes', () => store.delete(key)),
    };
  }

  /** Uploads a file, as a client does: what fails is done again, a few times. @returns the part to send, unless it gave up. */
  async upload(
    api: (name: string, work: (table: Table, invocation: Invocation) => Promise<unknown>) => Promise<boolean>,
    now: () => Date,
  ): Promise<SentPart | undefined> {
    const text = this.world.random.pick(contents);
    const announced = { size: text.length, mediaType: 'text/plain', sha256: digestOf(Buffer.from(text)) };
    let row: FileRow | undefined;
    // Some announce it with another size first, and are refused if it is stored already.
    if (this.world.random.chance(0.1))
      await api('announce another size', (table, invocation) =>
        beginUpload(
          { table, store: this.storeOf(invocation) },
          this.user,
          { ...announced, size: announced.size + 7 },
          most,
          now(),
        ).catch((error: Error) => {
          if (error.name !== 'InvalidInput') throw error;
        }),
      );
    for (let attempt = 0; attempt < 3 && !row; attempt++)
      await api('begin upload', async (table, invocation) => {
        row = await beginUpload({ table, store: this.storeOf(invocation) }, this.user, announced, most, now());
      });
    if (!row) return undefined;
    // Some begin and never send the bytes.
    if (this.world.random.chance(0.15)) return undefined;
    await this.world.request('the browser uploads', undefined, [], () => undefined);
    if (!row.storedAt) await this.store.write(storedFile(row), Buffer.from(text));
    for (let attempt = 0; attempt < 3; attempt++) {
      const { id } = row;
      const isComplete = await api('complete upload', (table, invocation) =>
        completeUpload(
          { table, store: this.storeOf(invocation), typeOf: async (_, said) => said },
          this.user,
          id,
          now(),
        ),
      );
      // Some never send the message.
      if (isComplete) return this.world.random.chance(0.85) ? { type: 'file', id } : undefined;
    }
    return undefined;
  }

  /** Returns the id of one of the files that there are, of whatever conversation. */
  someId(): string | undefined {
    const ids = this.world.table.rows().flatMap(({ sk, id }) => (sk.startsWith('FILE#') ? [String(id)] : []));
    return ids.length > 0 ? this.world.random.pick(ids) : undefined;
  }

  /** Returns the id that a model asks for: mostly the one that its task names, if it is a sub-agent's. */
  idFor(conversationId: string): string | undefined {
    const { random, table } = this.world;
    const first = table
      .rows()
      .find(({ pk, sk, seq }) => pk === `C#${conversationId}` && sk.startsWith('M#') && seq === 1);
    const [given] = /f_[\w-]{43}/.exec(String(first?.text)) ?? [];
    return given && random.chance(0.7) ? given : this.someId();
  }

  /** Holds the table against the store, once nothing is under way and unused files have had their time. */
  broken(rows: readonly Row[]): string[] {
    const files = rows.filter(({ sk }) => sk.startsWith('FILE#')) as unknown as (FileRow & Row)[];
    const kept = new Map(files.filter(({ isGoing }) => !isGoing).map((row) => [row.id, row]));
    const metas = new Map(rows.flatMap((row) => (row.sk === 'META' && row.owner ? [[row.pk, row] as const] : [])));
    // Of messages, and of results, whose calls have them as JSON.
    const said = rows
      .filter(({ pk }) => metas.has(pk))
      .flatMap(({ pk, sk, parts, result }) =>
        (sk.startsWith('M#')
          ? filesOf({ parts: parts as Part[] | undefined })
          : sk.startsWith('CALL#') && typeof result === 'string'
            ? filePartsIn(JSON.parse(result))
            : []
        ).map(({ id }) => ({ pk, id })),
      );
    const says = (pk: string, id: string) => said.some((one) => one.pk === pk && one.id === id);
    const isOfTask = (pk: string, id: string) =>
      metas.get(pk)?.parent !== undefined &&
      rows.some((row) => row.pk === pk && row.sk.startsWith('M#') && row.seq === 1 && String(row.text).includes(id));
    const read = this.world.ledger.filesRead.map((one) => ({ ...one, pk: `C#${one.conversationId}` }));
    const isStolen = ({ pk, id }: { pk: string; id: string }) => {
      const parent = `C#${String((metas.get(pk)?.parent as { conversationId?: string })?.conversationId)}`;
      return !says(pk, id) && !(isOfTask(pk, id) && (says(parent, id) || !metas.has(parent)));
    };
    const living = read.filter(({ pk }) => metas.has(pk));
    const stolen = living.filter(isStolen);
    const used = [...said, ...living];
    const missing = used.filter(({ pk, id }) => {
      const row = kept.get(id);
      return !row || !this.store.objects.has(row.key) || !row.in.includes(pk.slice('C#'.length));
    });
    const keys = new Set([...kept.values()].flatMap(({ key, formerKeys = [] }) => [key, ...formerKeys]));
    const orphans = [...this.store.objects.keys()].filter((key) => !keys.has(key));
    // A sub-agent's call may have died when its conversation had been given the file.
    const unused = [...kept.values()].filter(
      ({ id, in: conversations }) =>
        !used.some((one) => one.id === id) && !conversations.some((one) => isOfTask(`C#${one}`, id)),
    );
    for (const { pk } of used) this.world.count(pk.endsWith('forked') ? 'file of a fork' : 'file of a conversation');
    for (const { pk, id } of living) this.world.count(says(pk, id) ? 'file read' : 'file of a task read');
    if (
      said.some(
        ({ pk, id }) =>
          !rows.some(
            (row) =>
              row.pk === pk &&
              row.sk.startsWith('M#') &&
              filesOf({ parts: row.parts as Part[] | undefined }).some((one) => one.id === id),
          ),
      )
    )
      this.world.count('file of a result');
    if (files.length > kept.size) this.world.count('file deleted');
    const sums = rows.find(({ sk }) => sk === 'SUMS');
    const bytes = [...kept.values()].reduce((sum, { size }) => sum + size, 0);
    const isCounted = (sums?.files ?? 0) === kept.size && (sums?.bytes ?? 0) === bytes;
    return [
      ...(isCounted ? [] : [`${kept.size} files of ${bytes} bytes are counted as ${JSON.stringify(sums)}.`]),
      ...stolen.map(({ pk, id }) => `${pk} has read the file ${id}, which is not its own.`),
      ...read.flatMap(({ pk, id, found }) => (found === id ? [] : [`${pk} has read ${found} instead of ${id}.`])),
      ...missing.map(({ pk, id }) => `${pk} has the file ${id}, which is gone.`),
      ...orphans.map((key) => `Nothing names the object ${key}.`),
      ...unused.map(
        ({ id, in: conversations }) => `Nothing refers to the file ${id}, which is kept for ${conversations}.`,
      ),
    ];
  }
}
