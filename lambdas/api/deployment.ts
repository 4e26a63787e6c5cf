import type { OpenAPIHono } from '@hono/zod-openapi';
import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda';
import type { Registry } from '../../core/agent/registry';
import type { PendingResume } from '../../core/conversation/send-message';
import type { Meta, StoredTimer } from '../../core/store/rows';
import type { Table } from '../../core/store/table';

/** What API Gateway hands over: the token has been verified by its authorizer. */
export interface Environment {
  Bindings: { event: LambdaEvent; lambdaContext: LambdaContext };
  Variables: { user: string };
}
export type App = OpenAPIHono<Environment>;

/**
 * How the API makes things happen outside the table, once they are committed there. Each may fail or be lost: the commit
 * stands, the relay does it again, and the caller need not know.
 */
export interface Actions {
  driveRun(meta: Meta): Promise<void>;
  driveTimer(timer: StoredTimer): Promise<void>;
  resume(conversationId: string, pending: PendingResume): Promise<void>;
}

export interface Deployment {
  table: Table;
  registry: Registry;
  actions: Actions;
  /** The key that webhooks' addresses are signed with. */
  webhookKey(): Promise<string>;
  /** The live view's table, and the address of its WebSocket. */
  live: { table: Table; url: string };
}
