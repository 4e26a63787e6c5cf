import type { Json, JsonObject } from '../language/json';
import type { Activity } from './activities';
import { type CatalogueEntry, identityOf, type Revision, type StateMachine } from './machines';

/** A state machine as the journal has it: revisions by their number. */
interface StoredMachine extends JsonObject {
  current: number;
  versions: StoredVersion[];
}
type StoredVersion = { number: number; description?: string; revision: number; creationDate: number };

/** Everything in an engine except executions: state machines with their revisions and versions, and activities. */
export class Catalogue {
  readonly machines = new Map<string, StateMachine>();
  readonly activities = new Map<string, Activity>();
  private readonly revisions = new Map<number, Revision>();
  private lastRevision = 0;
  /** By the state machine's name, the oldest first. */
  private readonly identityLists = new Map<string, string[]>();

  /** @param save journals a change */
  constructor(private readonly save: (entry: CatalogueEntry) => void) {}

  revision(number: number): Revision | undefined {
    return this.revisions.get(number);
  }

  addRevision(fields: Omit<Revision, 'number'>): Revision {
    this.lastRevision += 1;
    const revision: Revision = { ...fields, number: this.lastRevision };
    this.keep(revision);
    this.save(storedRevision(revision));
    return revision;
  }

  /** The identity of a state machine that is about to be created. A name has no `#`. */
  newIdentity(name: string): string | undefined {
    return this.identityLists.has(name) ? `${name}#${this.lastRevision + 1}` : undefined;
  }

  /** The state machines that have had a name, the newest first. */
  identities(name: string): string[] {
    return [...(this.identityLists.get(name) ?? [])].reverse();
  }

  /** Whether the state machine of a revision is being deleted, or is gone. */
  isDeleted(revision: Revision): boolean {
    const machine = this.machines.get(revision.stateMachineArn);
    return machine?.status !== 'ACTIVE' || identityOf(machine.current) !== identityOf(revision);
  }

  private keep(revision: Revision): void {
    this.revisions.set(revision.number, revision);
    const identities = this.identityLists.get(revision.name) ?? [];
    const identity = identityOf(revision);
    if (!identities.includes(identity)) this.identityLists.set(revision.name, [...identities, identity]);
  }

  saveMachine(machine: StateMachine): void {
    this.machines.set(machine.arn, machine);
    this.save(storedMachine(machine));
  }

  removeMachine(arn: string): void {
    this.machines.delete(arn);
    this.save({ key: `machine/${arn}` });
  }

  saveActivity(activity: Activity): void {
    this.activities.set(activity.arn, activity);
    this.save(storedActivity(activity));
  }

  removeActivity(arn: string): void {
    this.activities.delete(arn);
    this.save({ key: `activity/${arn}` });
  }

  /** Everything, for a journal whose beginning is about to go. */
  entries(): CatalogueEntry[] {
    return [
      ...[...this.revisions.values()].map(storedRevision),
      ...[...this.machines.values()].map(storedMachine),
      ...[...this.activities.values()].map(storedActivity),
    ];
  }

  /** Applies a journaled change. */
  restore({ key, value }: CatalogueEntry): void {
    const id = key.slice(key.indexOf('/') + 1);
    if (key.startsWith('revision/')) this.restoreRevision(value as unknown as Revision);
    else if (key.startsWith('machine/')) {
      if (value === undefined) this.machines.delete(id);
      else this.machines.set(id, this.restoredMachine(value as StoredMachine));
    } else if (value === undefined) this.activities.delete(id);
    else this.activities.set(id, value as unknown as Activity);
  }

  private restoreRevision(revision: Revision): void {
    if (this.revisions.has(revision.number)) return;
    this.keep(revision);
    this.lastRevision = Math.max(this.lastRevision, revision.number);
  }

  private restoredMachine(stored: StoredMachine): StateMachine {
    const revision = (number: number) => this.revisions.get(number)!;
    return {
      ...(stored as unknown as StateMachine),
      current: revision(stored.current),
      versions: stored.versions.map((version) => ({ ...version, revision: revision(version.revision) })),
    };
  }
}

const storedRevision = (revision: Revision): CatalogueEntry => ({
  key: `revision/${revision.number}`,
  value: { ...revision } as unknown as Json,
});

const storedActivity = (activity: Activity): CatalogueEntry => ({
  key: `activity/${activity.arn}`,
  value: { ...activity },
});

function storedMachine(machine: StateMachine): CatalogueEntry {
  const value = {
    ...machine,
    current: machine.current.number,
    versions: machine.versions.map((version) => ({ ...version, revision: version.revision.number })),
  };
  return { key: `machine/${machine.arn}`, value: value as unknown as Json };
}
