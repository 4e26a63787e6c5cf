import type { Registry } from '../../core/conversations/agent/registry';
import type { Table } from '../../core/conversations/store/table';
import type { Deployment } from '../../lambdas/api/deployment';
import { modules } from '../../modules/api';
import { memoryFileStore } from './memory-file-store';

/** A deployment of the API whose actions do nothing. */
export const apiDeployment = (table: Table, registry: Registry, own: Partial<Deployment> = {}): Deployment => ({
  table,
  registry,
  webhookKey: async () => 'k',
  modules,
  limits: () => ({}),
  counts: () => ({ runs: 999, subAgents: 9, conversations: 9_999, timers: 9 }),
  files: memoryFileStore(),
  fileLimits: () => ({ file: 1_000, day: 5_000, all: 9_000, count: 100 }),

  modelsOfForks: new Set(),
  keptClaims: [],
  machines: false,
  developers: { stateMachineArn: '' },
  live: { table, url: '', connectionsAtMost: 9 },
  actions: {
    carryOut: async () => undefined,
    attempts: async () => ({ execution: 'unknown', attempts: [] }),
  },
  ...own,
});
