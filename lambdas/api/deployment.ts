import type { OpenAPIHono } from '@hono/zod-openapi';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import type { Counts } from '../../core/base/state/user-limits';
import type { Caller } from '../../core/conversations/agent/approvers';
import type { DeploymentLimits } from '../../core/conversations/agent/limits';
import type { Registry } from '../../core/conversations/agent/registry';
import type { FileStore } from '../../core/conversations/files/file-store';
import type { FileLimits } from '../../core/conversations/files/sums';
import type { StoredRun } from '../../core/conversations/rows/meta';
import type { StoredTimer } from '../../core/conversations/rows/rows';
import type { Table } from '../../core/conversations/store/table';
import type { RunAttempts } from '../../core/machines/reconcile/attempts';
import type { Finder } from '../../core/people/finding/find';
import type { Developers } from './developers';
import type { ApiModule } from './module';

/** The data that API Gateway passes to the API. Its authorizer has verified the token. */
export interface Environment {
  Bindings: { event: LambdaEvent; lambdaContext: LambdaContext };
  /** `until`: when the token ends, in seconds since 1970. */
  Variables: {
    user: string;
    caller: Caller;
    until: number;
    /** The machine that acts for the user, by its client id. */
    machine?: string;
  };
}
export type App = OpenAPIHono<Environment>;

/** What the API does beside its table. */
interface Actions {
  /** Does at once what follows from what was committed. It may fail or be lost: Relay does it then. */
  carryOut(): Promise<void>;
  /** Returns what Step Functions knows of a run that is at work, and of timers that are due. */
  attempts(run: StoredRun | undefined, due: readonly StoredTimer[]): Promise<RunAttempts>;
}

export interface Deployment {
  table: Table;
  registry: Registry;
  actions: Actions;
  /** The bytes of files, and how many of them users may have. */
  files: FileStore;
  fileLimits(): FileLimits;
  /** Finds places by meaning. Absent if the deployment embeds no messages. */
  placesOf?: Finder['placesOf'];
  /** The key that signs webhook addresses. */
  webhookKey(): Promise<string>;
  /** The secrets of the providers' webhooks, by the provider's name. */
  providerWebhooks?: ReadonlyMap<string, () => Promise<string>>;
  /** Returns how much a user may have at once. @throws ConfigurationError if a variable is wrong, as does `limits`. */
  counts(): Counts;
  limits(): DeploymentLimits;
  modelsOfForks: ReadonlySet<string>;
  /** The names of the claims that are kept with conversations. */
  keptClaims: readonly string[];
  /** Whether machines may act for users. */
  machines: boolean;
  developers: Developers;
  /** The `token_use` of tokens that the API accepts: `access` by default, `any` for an issuer whose tokens have none. */
  tokenUse?: string;
  modules: readonly ApiModule[];
  /** The live view's table, the address of its WebSocket, and how many connections a user may have. */
  live: { table: Table; url: string; connectionsAtMost: number };
}
