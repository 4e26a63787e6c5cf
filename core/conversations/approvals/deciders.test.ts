import { testTool } from '../../../test/support/tables/steps';
import { defineAgent } from '../agent/agent';
import type { ApprovalStep, Approvers } from '../agent/approvers';
import { registry } from '../agent/registry';
import { decidersOf, namedApprovers } from './deciders';

const tool = (name: string, approvers?: Approvers | ApprovalStep[]) =>
  testTool(name, { effect: 'once', approval: { when: () => true, prompt: 'Pay?', ...(approvers && { approvers }) } });

test('the approvers that tools name are listed once each, without the owner (R147)', () => {
  const finance = { group: 'finance' };
  const treasury = { claim: 'team', value: 'treasury=eu' };
  const tools = [tool('a', finance), tool('b', treasury), tool('c', { ...finance }), tool('d', 'owner'), tool('e')];
  const all = registry([defineAgent({ name: 'payer', purpose: 'p', instructions: 'i', model: 'gpt-6-luna', tools })]);
  expect(namedApprovers(all)).toEqual([finance, treasury]);
});

test('people look into the lists of the groups and claims that they have, and of those that escalate to them (R252)', () => {
  const [finance, cfo] = [{ group: 'finance' }, { claim: 'role', value: 'cfo' }];
  const steps: ApprovalStep[] = [
    { by: finance, escalation: { afterSeconds: 86_400, to: cfo } },
    { by: { group: 'board' }, count: 2 },
  ];
  const all = registry([
    defineAgent({ name: 'payer', purpose: 'p', instructions: 'i', model: 'gpt-6-luna', tools: [tool('a', steps)] }),
  ]);
  expect(namedApprovers(all)).toEqual([finance, cfo, { group: 'board' }]);
  const pair = 'either:["group:finance","claim:role=cfo"]';
  const of = (user: string, groups: string[], claims = {}) => decidersOf({ user, groups, claims }, all);
  expect(of('fay', ['finance', 'staff'])).toEqual(['user:fay', 'group:finance', 'group:staff', pair]);
  expect(of('cai', [], { role: 'cfo' })).toEqual(['user:cai', pair]);
  expect(of('eve', ['staff'], { role: 'clerk' })).toEqual(['user:eve', 'group:staff']);
});
