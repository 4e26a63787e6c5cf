import type { Construct } from 'constructs';
import type { MetricName } from '../core/people/live/metrics';
import type { ConversationTable } from './functions/conversation-table';
import type { VigilFunction } from './functions/vigil-function';
import type { LiveView } from './live/live-view';
import type { Undelivered } from './machines/undelivered';

/** What a stack has of a module (`core/module.ts`): its resources, and the rights of its functions. */
export interface VigilModule {
  /** Its folder in `modules`. */
  readonly name: string;
  /** Declares its resources, when those of the kernel are declared. */
  deploy(kernel: Kernel): Deployed;
}

/** What a module may use of a stack. */
export interface Kernel {
  /** The construct in which the module declares its own. */
  scope: Construct;
  /** The folder of the functions' bundles. */
  bundles: string;
  table: ConversationTable;
  live: LiveView;
  undelivered: Undelivered;
  /** CallModel and the functions of tools, without those of isolated tools, which get their input alone. */
  workers: readonly VigilFunction[];
}

/** What the dashboard shows of a module. */
export interface Deployed {
  functions: readonly VigilFunction[];
  /** Graphs of sums of its metrics. */
  graphs: readonly { title: string; metrics: readonly MetricName[] }[];
}
