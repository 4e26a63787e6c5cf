import { Construct } from 'constructs';
import type { Registry } from '../../core/conversations/agent/registry';
import { agentLoop } from '../../statemachines/agent-loop';
import { rollback } from '../../statemachines/rollback';
import { timer } from '../../statemachines/timer';
import type { VigilFunction } from '../functions/vigil-function';
import { Machine } from './machine';
import { SettleRule } from './safety-nets';
import type { Undelivered } from './undelivered';

export interface MachinesProps {
  agents: Registry;
  /** The functions that the definitions name, by the placeholder of their ARN. */
  functions: Record<string, VigilFunction>;
  /** Is notified of executions that did not end by themselves. */
  settle: VigilFunction;
  undelivered: Undelivered;
}

/** The three state machines and the rights of the functions that drive them. */
export class Machines extends Construct {
  readonly loop: Machine;
  readonly timers: Machine;
  readonly rollbacks: Machine;

  constructor(scope: Construct, id: string, { agents, functions, ...settling }: MachinesProps) {
    super(scope, id);
    const declared = [...agents.tools.values()];
    this.loop = new Machine(this, 'AgentLoop', { definition: agentLoop(declared), functions });
    this.timers = new Machine(this, 'Timer', { definition: timer, functions });
    this.rollbacks = new Machine(this, 'Rollback', { definition: rollback(declared), functions });
    new SettleRule(this, 'SettleRule', { machines: [this.loop, this.timers, this.rollbacks], ...settling });
  }

  /** For the functions that drive them. */
  get variables(): Record<string, string> {
    return {
      STATE_MACHINE_ARN: this.loop.arn,
      TIMER_MACHINE_ARN: this.timers.arn,
      ROLLBACK_MACHINE_ARN: this.rollbacks.arn,
    };
  }

  /** Grants the rights to start, stop and answer. A rollback always finishes, so no function may stop one. */
  grantDrive(...functions: VigilFunction[]): void {
    for (const machine of [this.loop, this.timers, this.rollbacks]) machine.grantStart(...functions);
    for (const machine of [this.loop, this.timers]) machine.grantStop(...functions);
    this.loop.grantAnswer(...functions);
  }

  /** Grants the right to read which attempts a run at work, or a due timer, has made. */
  grantHistory(fn: VigilFunction): void {
    for (const machine of [this.loop, this.timers, this.rollbacks]) machine.grantHistory(fn);
  }

  /** Grants the right to ask whether an execution exists, and how it ended. */
  grantFind(fn: VigilFunction): void {
    for (const machine of [this.loop, this.timers, this.rollbacks]) machine.grantFind(fn);
  }
}
