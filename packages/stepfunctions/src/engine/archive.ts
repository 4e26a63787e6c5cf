import { existsSync } from 'node:fs';
import path from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ClassicLevel } from 'classic-level';
import type { Outcome, Status } from '../execution/execution';
import type { HistoryEvent } from '../execution/history';
import { jsonText, parseJson } from '../language/json';
import type { Entry } from './entry';

/** A finished execution as a list shows it. */
export interface Summary {
  serial: number;
  name: string;
  /** The state machine's name, and its identity where that is another. */
  machine: string;
  identity?: string;
  /** The number of the state machine's revision. */
  revision: number;
  status: Status;
  startTime: number;
  stopTime: number;
  versionArn?: string;
  aliasArn?: string;
  startedBy?: string;
  redrives?: number;
  redriveTime?: number;
}

export const summaryOf = (entry: Entry): Summary => ({
  serial: entry.serial,
  name: entry.name,
  machine: entry.revision.name,
  identity: entry.revision.identity,
  revision: entry.revision.number,
  status: entry.status,
  startTime: entry.startTime,
  stopTime: entry.stopTime ?? 0,
  versionArn: entry.versionArn,
  aliasArn: entry.aliasArn,
  startedBy: entry.startedBy,
  redrives: entry.redrives,
  redriveTime: entry.redriveTime,
});

/** A finished execution, whole: nothing else is needed to describe it. */
export interface Archived {
  summary: Summary;
  input: string;
  seed: string;
  outcome: Outcome;
  events: readonly HistoryEvent[];
}

/**
 * Finished executions that have left memory and the journal, in a LevelDB of their own: found by name, listed newest
 * first, forgotten after their time. Opened when it is first needed.
 */
export class Archive {
  private opening: Promise<ClassicLevel<string, Buffer>> | undefined;
  private readonly folder: string;
  /** Without it there is nothing to look for. */
  private present: boolean;

  constructor(directory: string) {
    this.folder = path.join(directory, 'finished');
    this.present = existsSync(this.folder);
  }

  private open(): Promise<ClassicLevel<string, Buffer>> {
    this.opening ??= import('classic-level').then(async ({ ClassicLevel: Level }) => {
      // Small caches: what lies here is read seldom.
      const db = new Level<string, Buffer>(this.folder, {
        valueEncoding: 'buffer',
        cacheSize: 1 << 20,
        writeBufferSize: 1 << 20,
      });
      await db.open();
      return db;
    });
    this.present = true;
    return this.opening;
  }

  /** Stores finished executions; resolves when they are on disk. Storing one again does no harm. */
  async put(finished: Archived[]): Promise<void> {
    const db = await this.open();
    const batch = db.batch();
    for (const each of finished) {
      const { summary } = each;
      batch.put(nameKey(machineOf(summary), summary.name), deflateRawSync(jsonText(each), { level: 1 }));
      batch.put(timeKey(machineOf(summary), summary), Buffer.from(jsonText(summary)));
    }
    await batch.write({ sync: true });
  }

  async get(machine: string, name: string): Promise<Archived | undefined> {
    if (!this.present) return undefined;
    const value = await (await this.open()).get(nameKey(machine, name));
    return value === undefined ? undefined : (parseJson(inflateRawSync(value).toString()) as unknown as Archived);
  }

  async has(machine: string, name: string): Promise<boolean> {
    return this.present && (await (await this.open()).get(nameKey(machine, name))) !== undefined;
  }

  /** Newest first, behind one that need not be there. */
  async *list(machine: string, after?: { startTime: number; serial: number }): AsyncGenerator<Summary> {
    if (!this.present) return;
    const prefix = `t/${machine}/`;
    for await (const value of (await this.open()).values({
      gt: after ? timeKey(machine, after) : prefix,
      lt: `${prefix}~`,
    })) {
      yield JSON.parse(value.toString()) as Summary;
    }
  }

  /** Forgets what ended before a time. */
  async forget(before: number): Promise<void> {
    if (!this.present) return;
    const db = await this.open();
    const batch = db.batch();
    for await (const [key, value] of db.iterator({ gt: 't/', lt: 't/~' })) {
      const summary = JSON.parse(value.toString()) as Summary;
      if (summary.stopTime < before) batch.del(key).del(nameKey(machineOf(summary), summary.name));
    }
    if (batch.length > 0) await batch.write();
    else await batch.close();
  }

  async close(): Promise<void> {
    if (this.opening) await (await this.opening).close();
  }
}

/** Returns the key under which an archived execution lies: its state machine's identity. */
export const machineOf = ({ machine, identity = machine }: Pick<Summary, 'machine' | 'identity'>): string => identity;

const nameKey = (machine: string, name: string) => `n/${machine}/${name}`;
/** Later starts sort first. */
const timeKey = (machine: string, { startTime, serial }: Pick<Summary, 'startTime' | 'serial'>) =>
  `t/${machine}/${String(10 ** 15 - Math.floor(startTime)).padStart(16, '0')}-${String(10 ** 12 - serial).padStart(12, '0')}`;
