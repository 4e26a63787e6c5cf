import type { ResourceServerScope } from 'aws-cdk-lib/aws-cognito';
import type { Construct } from 'constructs';
import type { Registry } from '../core/conversations/agent/registry';
import type { MetricName } from '../core/people/live/metrics';
import type { FileBucket } from './files/file-bucket';
import type { ConversationTable } from './functions/conversation-table';
import type { VigilFunction } from './functions/vigil-function';
import type { LiveView, SortKey } from './live/live-view';
import type { Machine } from './machines/machine';
import type { Machines } from './machines/machines';
import type { Undelivered } from './machines/undelivered';
import type { FrontDoor } from './page/front-door';
import type { Users } from './page/users';
import type { AccountCheck, ClientConfig } from './preflight/finding';
import type { Settings } from './settings';

/** What a stack has of a module (`core/module.ts`): its resources, and the rights of its functions. */
export interface VigilModule {
  /** Its folder in `modules`. */
  readonly name: string;
  /** The scopes of its clients in the stack's own user pool. None of them opens the API. */
  readonly scopes?: readonly ResourceServerScope[];
  /** Rows whose changes its listeners want, besides those that pages show. */
  readonly hears?: readonly SortKey[];
  /** Headers that pages of other origins may send to its routes. */
  readonly headers?: readonly string[];
  /** The logical ids of what holds its data, or is used by running executions, by their paths (`infra/stateful.ts`). */
  readonly stateful?: Readonly<Record<string, string>>;
  /** What its deployment needs of the account, which `infra/preflight` asks AWS. */
  preflight?(config: ClientConfig): AccountCheck;
  /** Declares its resources, when those of the kernel are declared. */
  deploy(kernel: Kernel): Deployed;
}

/** What a module may use of a stack. */
export interface Kernel {
  /** The construct in which the module declares its own. */
  scope: Construct;
  agents: Registry;
  /** The folder of the functions' bundles. */
  bundles: string;
  table: ConversationTable;
  files: FileBucket;
  live: LiveView;
  machines: Machines;
  undelivered: Undelivered;
  /** CallModel and the functions of tools, without those of isolated tools, which get their input alone. */
  workers: readonly VigilFunction[];
  /** Which loads the routes of modules (`lambdas/api/module.ts`). */
  api: VigilFunction;
  /** Which loads what of modules compares the code with the table (`lambdas/reconcile/module.ts`). */
  reconcile: VigilFunction;
  door: FrontDoor;
  users: Users;
  /** The address of the page, if the stack hosts one or knows one elsewhere. */
  pageUrl: string | undefined;
  settings: Settings;
  /** The variables that the app has given and that are no settings of Vigil. */
  variables: Readonly<Record<string, string>>;
}

/** What the stack shows of a module. */
export interface Deployed {
  /** On the dashboard. */
  functions: readonly VigilFunction[];
  /** Those of them whose errors raise an alarm. */
  watched?: readonly VigilFunction[];
  /** State machines, whose failed executions raise an alarm. */
  machines?: readonly Machine[];
  /** Graphs of sums of its metrics, on the dashboard. */
  graphs?: readonly { title: string; metrics: readonly MetricName[] }[];
  /** Outputs of the stack. */
  outputs?: Readonly<Record<string, string | undefined>>;
}
