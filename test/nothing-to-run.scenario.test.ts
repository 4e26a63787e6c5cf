import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembly } from './support/clouds/assembly';
import type { Template } from './support/clouds/changed-assembly';

// The template of the scenarios' own deployment: what is in it is all that there is. Its types of resources: infra/vigil.test.ts.

describe('what an author of agents has to run (R33)', () => {
  const { Resources } = JSON.parse(readFileSync(join(assembly, 'Vigil.template.json'), 'utf8')) as Template;
  const all = Object.entries(Resources);

  test('is no cron and no poller: no agent waits for a schedule, and nothing has a capacity to plan or a network of its own', () => {
    // The hourly check for what a restore or a lost execution left behind. No reminder and no timer depends on it.
    const scheduled = all.filter(([, { Properties = {} }]) => Properties.ScheduleExpression !== undefined);
    expect(scheduled.map(([, { Properties = {} }]) => [Properties.Description, Properties.ScheduleExpression])).toEqual(
      [['Compares the table with Step Functions', 'rate(1 hour)']],
    );
    for (const [id, { Type, Properties = {} }] of all) {
      if (Type === 'AWS::DynamoDB::Table') expect([id, Properties.BillingMode]).toEqual([id, 'PAY_PER_REQUEST']);
      if (Type === 'AWS::Lambda::Function') expect([id, Properties.VpcConfig]).toEqual([id, undefined]);
      expect([id, Type]).not.toEqual([id, expect.stringMatching(/Scheduler|Provisioned|Instance|Cluster|Container/)]);
      // The queue is looked into by people, when its alarm says so: nothing reads it all the time.
      if (Type === 'AWS::Lambda::EventSourceMapping')
        expect([id, JSON.stringify(Properties.EventSourceArn)]).toEqual([id, expect.stringContaining('StreamArn')]);
    }
  });

  test('does not grow with the agents: none of them has a resource of its own', () => {
    const ofAgents = all.filter(([id]) => /tester|brief|planner/i.test(id));
    expect(ofAgents).toEqual([]);
    expect(all.filter(([, { Type }]) => Type === 'AWS::StepFunctions::StateMachine').map(([id]) => id)).toContain(
      'AgentLoop',
    );
  });
});
