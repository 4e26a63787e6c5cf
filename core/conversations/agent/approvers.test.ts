import * as z from 'zod';
import { defineAgent } from './agent';
import { type Approvers, namedApprovers } from './approvers';
import { registry } from './registry';
import { defineTool } from './tool';

const tool = (name: string, approvers?: Approvers) =>
  defineTool({
    ...{ name, description: 'Pays.', effect: 'once', input: z.object({}), output: z.object({}) },
    approval: { when: () => true, prompt: 'Pay?', ...(approvers && { approvers }) },
    execute: async () => ({}),
  });

test('the approvers that tools name are listed once each, without the owner (R147)', () => {
  const finance = { group: 'finance' };
  const treasury = { claim: 'team', value: 'treasury=eu' };
  const tools = [tool('a', finance), tool('b', treasury), tool('c', { ...finance }), tool('d', 'owner'), tool('e')];
  const all = registry([defineAgent({ name: 'payer', purpose: 'p', instructions: 'i', model: 'gpt-6-luna', tools })]);
  expect(namedApprovers(all)).toEqual([finance, treasury]);
});
