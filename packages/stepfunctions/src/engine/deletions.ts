import type { Catalogue } from './catalogue';
import type { Entry } from './entry';
import { identityOf, type StateMachine } from './machines';
import type { ExecutionNames } from './names';

/** Deletes state machines: each is gone when the last of its executions has ended. */
export class Deletions {
  /** The executions that still run, by the state machine's ARN. */
  private readonly running = new Map<string, Set<Entry>>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly names: ExecutionNames,
  ) {}

  begin(machine: StateMachine): void {
    if (machine.status === 'DELETING') return;
    this.catalogue.saveMachine({ ...machine, status: 'DELETING' });
    this.wait(machine);
  }

  /** Takes up what the last engine on this folder left. */
  resume(): void {
    for (const machine of this.catalogue.machines.values()) if (machine.status === 'DELETING') this.wait(machine);
  }

  /** An execution has ended, or has never begun. */
  ended(entry: Entry): void {
    const { stateMachineArn } = entry.revision;
    if (this.running.get(stateMachineArn)?.delete(entry)) this.removeUnused(stateMachineArn);
  }

  private wait({ arn, current }: StateMachine): void {
    this.running.set(arn, new Set(this.names.running(identityOf(current))));
    this.removeUnused(arn);
  }

  private removeUnused(arn: string): void {
    if (this.running.get(arn)?.size !== 0) return;
    this.running.delete(arn);
    this.catalogue.removeMachine(arn);
  }
}
