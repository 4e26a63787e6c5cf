import * as z from 'zod';
import type { Caller } from '../../../core/conversations/agent/approvers';
import type { Approval } from '../../../core/conversations/agent/tool';
import { testTool } from '../tables/steps';

// Tools that need a decision, and people who may make it.

const input = z.object({ cents: z.number().describe('c') });

/** A tool that asks for each call. */
export const askedTool = (name: string, approval: Partial<Approval<typeof input>>) =>
  testTool(name, {
    input,
    effect: 'idempotent' as const,
    approval: { when: () => true, prompt: 'Well?', ...approval },
    execute: async () => 'done',
  });

export const finance = { group: 'finance' };
export const boss = { claim: 'role', value: 'cfo' };

export const caller = (user: string, groups: string[] = [], claims: Record<string, string> = {}): Caller => ({
  user,
  groups,
  claims,
});
