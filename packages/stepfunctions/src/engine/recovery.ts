import type { Input } from '../interpreter/apply';
import type { Catalogue } from './catalogue';
import { type Entry, noteRecord } from './entry';
import type { Executions } from './executions';
import type { Journal } from './journal/journal';
import type { DecodedRecord } from './journal/record';
import type { CatalogueEntry } from './machines';
import type { ExecutionNames } from './names';
import type { ImageBody, StartBody } from './replay';

/** Reads an old journal: what there is, and what was under way. Executions are not computed, only noted. */
export class Recovery {
  /** Executions with tasks that nobody works on any more. */
  readonly interrupted = new Set<Entry>();

  constructor(
    private readonly executions: Executions,
    private readonly catalogue: Catalogue,
    private readonly names: ExecutionNames,
  ) {}

  read(journal: Journal): void {
    // Compaction may leave an execution's record before that of its definition: such records have to wait.
    const early: [DecodedRecord, number][] = [];
    journal.recover((record, position) => {
      if (!this.restore(record, position)) early.push([record, position]);
    });
    for (const [record, position] of early) {
      // An image that was found meanwhile stands for what lies before it.
      const known = this.executions.bySerial.get(record.serial);
      if (known === undefined || known.first < position) this.restore(record, position);
    }
  }

  /** Returns false for a record of something that is not known, or not yet. */
  private restore(record: DecodedRecord, position: number): boolean {
    if (record.kind === 'catalogue') {
      this.restoreCatalogue(JSON.parse(record.body) as CatalogueEntry);
      return true;
    }
    const entry = this.entryOf(record, position);
    if (entry === undefined) return false;
    if (record.kind === 'delivered') entry.told = Number(record.body);
    else if (record.inFlight && record.status === 'RUNNING') this.interrupted.add(entry);
    else this.interrupted.delete(entry);
    return true;
  }

  private restoreCatalogue(change: CatalogueEntry): void {
    if (change.key !== 'serial') this.catalogue.restore(change);
    else this.executions.lastSerial = Math.max(this.executions.lastSerial, change.value as number);
  }

  private entryOf(record: DecodedRecord, position: number): Entry | undefined {
    const { kind, serial, status, time } = record;
    if (kind === 'delivered') return this.executions.bySerial.get(serial);
    if (kind === 'image') return this.image(record, position);
    const entry =
      kind === 'start'
        ? this.started(JSON.parse(record.body) as StartBody, serial, time)
        : this.executions.bySerial.get(serial);
    if (entry === undefined) return undefined;
    noteRecord(entry, kind as Input['kind'] | 'start', status, time, position);
    entry.wakeAt = record.wakeAt;
    return entry;
  }

  private started(body: StartBody, serial: number, startTime: number): Entry | undefined {
    const revision = this.catalogue.revision(body.revision);
    if (revision === undefined) return undefined;
    // An image stands for the records before it, where these are still there.
    const before = this.executions.bySerial.get(serial);
    if (before) this.interrupted.delete(before);
    const { name, startedBy, testCase, versionArn, aliasArn } = body;
    const entry = this.executions.add({ serial, name, revision, startTime, startedBy, testCase, versionArn, aliasArn });
    this.names.add(entry);
    return entry;
  }

  private image(record: DecodedRecord, position: number): Entry | undefined {
    const { told, happenings } = JSON.parse(record.body) as ImageBody;
    const [, time, , first] = happenings[0]!;
    const entry = this.started(JSON.parse(first) as StartBody, record.serial, time);
    if (entry === undefined) return undefined;
    for (const [kind, when] of happenings) {
      // The status in between is of no interest; what a redrive undid has to be counted.
      noteRecord(entry, kind, 'RUNNING', when, position);
      if (kind === 'redrive') entry.toTell += 1;
    }
    if (record.status !== 'RUNNING') noteRecord(entry, 'alarm', record.status, record.time, position);
    entry.records = happenings.length;
    entry.told = told;
    entry.wakeAt = record.wakeAt;
    return entry;
  }
}
