import { defineAgent } from '../../core/conversations/agent/agent';
import { registry } from '../../core/conversations/agent/registry';
import { type Row, rowCheck } from '../../core/conversations/check/check-rows';
import { key } from '../../core/conversations/rows/keys';
import { scheduleKey } from './rows';

// What a schedule that was applied means to the code that is to be deployed (R231).

const declared = { agent: 'tester', name: 'daily', user: 'ada' };
const row: Row = {
  ...declared,
  pk: key.own,
  sk: scheduleKey(declared),
  version: 1,
  digest: 'd',
  conversationId: 'c',
  generation: 1,
};
const daily = { name: 'daily', cron: '0 8 * * *', text: 't', for: 'deployment' as const };

/** What a check of the row finds with an agent of this name and these schedules, in an app with these modules. */
const foundIn = (modules: string[], checked: Row, agent: string, ...schedules: (typeof daily)[]) => {
  const spec = { name: agent, purpose: 'p', instructions: 'i', model: 'm', tools: [], schedules };
  return rowCheck({ ...registry([defineAgent(spec)]), limits: {}, modules }, new Date())(checked);
};
const found = (...asked: [checked: Row, agent: string, ...schedules: (typeof daily)[]]) =>
  foundIn(['schedules'], ...asked);
const cancelled = {
  verdict: 'changes',
  kind: 'schedule',
  conversationId: 'c',
  happens: 'its timer is cancelled: no agent declares the schedule "tester/daily"',
};

test.each<[what: string, ReturnType<typeof found>, expected: object[]]>([
  ['that its agent declares', found(row, 'tester', daily), []],
  ['that its agent declares no longer', found(row, 'tester'), [{ ...cancelled, field: 'name' }]],
  ['of an agent that is gone', found(row, 'other', daily), [{ ...cancelled, field: 'agent' }]],
  ['that was removed', found({ ...row, removed: true }, 'tester'), []],
])('a schedule %s (R231)', (_, findings, expected) => {
  expect(findings).toEqual(expected.map((one) => expect.objectContaining(one)));
});

test('without the module, nothing cancels the timer, and the check says so (R231, R277)', () => {
  expect(foundIn([], row, 'tester')).toMatchObject([
    {
      verdict: 'changes',
      happens: expect.stringMatching(
        /^its timer goes on, and nothing cancels it: .* does not list the module schedules$/,
      ),
    },
  ]);
});
