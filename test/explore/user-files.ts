import { filesOf, type Part } from '../../core/base/content/parts';
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

const most = { file: 100, day: 10_000, all: 10_000 };
/** Few, so that conversations have the same ones. */
const contents = ['a receipt', 'a contract', 'a picture'];

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
      return (await done.catch(() => {
        throw new Throttled('The store does not answer.');
      })) as Answer;
    };
    const { store } = this;
    return {
      ...store,
      find: (key) => through('finds', () => store.find(key)),
      read: (key) => through('reads', () => store.read(key)),
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
        completeUpload({ table, store: this.storeOf(invocation), typeOf: async () => undefined }, this.user, id, now()),
      );
      // Some never send the message.
      if (isComplete) return this.world.random.chance(0.85) ? { type: 'file', id } : undefined;
    }
    return undefined;
  }

  /** Holds the table against the store, once nothing is under way and unused files have had their time. */
  broken(rows: readonly Row[]): string[] {
    const files = rows.filter(({ sk }) => sk.startsWith('FILE#')) as unknown as (FileRow & Row)[];
    const kept = new Map(files.filter(({ isGoing }) => !isGoing).map((row) => [row.id, row]));
    const owned = new Set(rows.filter(({ sk, owner }) => sk === 'META' && owner).map(({ pk }) => pk));
    const used = rows
      .filter(({ pk, sk }) => owned.has(pk) && sk.startsWith('M#'))
      .flatMap(({ pk, parts }) => filesOf({ parts: parts as Part[] | undefined }).map(({ id }) => ({ pk, id })));
    const missing = used.filter(({ pk, id }) => {
      const row = kept.get(id);
      return !row || !this.store.objects.has(row.key) || !row.in.includes(pk.slice('C#'.length));
    });
    const keys = new Set([...kept.values()].flatMap(({ key, formerKeys = [] }) => [key, ...formerKeys]));
    const orphans = [...this.store.objects.keys()].filter((key) => !keys.has(key));
    const unused = [...kept.values()].filter(({ id }) => !used.some((one) => one.id === id));
    for (const { pk } of used) this.world.count(pk.endsWith('forked') ? 'file of a fork' : 'file of a conversation');
    if (files.length > kept.size) this.world.count('file deleted');
    return [
      ...missing.map(({ pk, id }) => `${pk} has the file ${id}, which is gone.`),
      ...orphans.map((key) => `Nothing names the object ${key}.`),
      ...unused.map(
        ({ id, in: conversations }) => `Nothing refers to the file ${id}, which is kept for ${conversations}.`,
      ),
    ];
  }
}
