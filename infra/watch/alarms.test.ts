import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { metrics } from '../../core/people/live/metrics';
import { feedback } from '../../modules/feedback/construct';
import { notices } from '../../modules/notices/construct';
import { telemetry } from '../../modules/telemetry/construct';
import { emptyBundles } from '../../test/support/clouds/empty-bundles';
import { newApp } from '../../test/support/clouds/new-app';
import { isRaised, metricsOf } from '../../test/support/stories/alarms';
import type { Resource, Template } from '../../test/support/template-rights';
import type { Built } from '../bundling/build';
import { Vigil } from '../vigil';
import type { AlarmSettings } from './alarms';

const folder = mkdtempSync(join(tmpdir(), 'vigil-alarms-'));
let agents: Built;
let resources: Template['Resources'];

beforeAll(() => {
  agents = emptyBundles(folder);
  resources = declared((stack) => ({ topic: Topic.fromTopicArn(stack, 'Topic', topic) }));
});
afterAll(() => rmSync(folder, { recursive: true }));

const topic = 'arn:aws:sns:eu-central-1:123456789012:operators';

function declared(alarms?: (stack: Stack) => AlarmSettings): Template['Resources'] {
  const app = newApp();
  const stack = new Stack(app, 'Shop');
  const modules = [feedback(), notices(), telemetry({ endpoint: 'https://traces.example.com' })];
  new Vigil(stack, 'Agents', { agents, alarms: alarms?.(stack), modules });
  return (app.synth().getStackByName('Shop').template as Template).Resources;
}
const ofType = (type: string, from = resources): [string, Resource][] =>
  Object.entries(from).filter(([, { Type }]) => Type === type);
/** The alarms by the titles of their sections. */
const alarmsIn = (from = resources) =>
  Object.fromEntries(
    ofType('AWS::CloudWatch::Alarm', from).map(([, alarm]) => {
      const [, title] = /"(\w+)"\.$/.exec(String(alarm.Properties.AlarmDescription)) ?? [];
      return [title!, alarm];
    }),
  );

/** What AWS documents that it sends: Lambda metrics, Step Functions metrics, HTTP API metrics and SQS metrics for CloudWatch. */
const documented: Record<string, { names: string[]; dimension: string; type: string }> = {
  'AWS/Lambda': {
    names: ['Errors', 'Throttles', 'IteratorAge'],
    dimension: 'FunctionName',
    type: 'AWS::Lambda::Function',
  },
  'AWS/States': {
    names: ['ExecutionsFailed'],
    dimension: 'StateMachineArn',
    type: 'AWS::StepFunctions::StateMachine',
  },
  'AWS/ApiGateway': { names: ['5xx'], dimension: 'ApiId', type: 'AWS::ApiGatewayV2::Api' },
  'AWS/SQS': { names: ['ApproximateNumberOfMessagesVisible'], dimension: 'QueueName', type: 'AWS::SQS::Queue' },
};

test('thirteen alarms, of which one is of traces, each with a section of the runbook, which has no others (R171)', () => {
  const titles = Object.keys(alarmsIn());
  expect(titles).toHaveLength(13);
  const runbook = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
  const sections = runbook.slice(runbook.indexOf('## When an alarm rings')).split(/^## /m)[1]!;
  expect([...sections.matchAll(/^### (\w+)$/gm)].map(([, title]) => title).sort()).toEqual(titles.sort());
});

test('each metric of an alarm is one that AWS sends about a resource of the stack, or one that functions print (R171)', () => {
  for (const [title, alarm] of Object.entries(alarmsIn())) {
    for (const { Namespace, MetricName, Dimensions } of metricsOf(alarm)) {
      const [dimension] = Dimensions;
      if (Namespace === 'Vigil') {
        expect([title, Object.hasOwn(metrics, MetricName), Dimensions]).toEqual([
          title,
          true,
          [{ Name: 'Stack', Value: 'Shop' }],
        ]);
        continue;
      }
      const { names, dimension: Name, type } = documented[Namespace]!;
      expect(names).toContain(MetricName);
      const [id] = JSON.stringify(dimension!.Value).match(/(?<=")[A-Z]\w+(?="[,\]}])/) ?? [];
      expect([title, dimension!.Name, resources[id!]?.Type]).toEqual([title, Name, type]);
    }
  }
});

test('what is watched covers all machines, and the functions that are not retried by one (R171)', () => {
  const idsOf = (title: string) =>
    new Set(metricsOf(alarmsIn()[title]!).map(({ Dimensions: [one] }) => (one!.Value as { Ref: string }).Ref));
  expect([...idsOf('RunsFailed'), ...idsOf('MachinesFailed')].sort()).toEqual(
    ofType('AWS::StepFunctions::StateMachine')
      .map(([id]) => id)
      .sort(),
  );
  const platform = ['Api', 'Ask', 'Settle', 'Relay', 'Broadcast', 'Notify', 'Reconcile'];
  expect([...idsOf('FunctionErrors')].sort()).toEqual([...platform].sort());
  expect([...idsOf('Throttles')].sort()).toEqual(['Api', 'CallModel', 'Relay']);
});

test('they watch 22 metrics and one of traces, which is what they cost, and no machine can time out (R171)', () => {
  expect(Object.values(alarmsIn()).flatMap(metricsOf)).toHaveLength(23);
  for (const [, { Properties }] of ofType('AWS::StepFunctions::StateMachine'))
    expect(Object.keys(JSON.parse(Properties.DefinitionString as string) as object)).not.toContain('TimeoutSeconds');
});

test('all notify the topic, are raised by one period and cleared by none (R171)', () => {
  for (const { Properties } of Object.values(alarmsIn()))
    expect(Properties).toMatchObject({
      AlarmActions: [topic],
      OKActions: [topic],
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    });
});

/** Each alarm by what just raises it: how many datapoints of which value. */
const limits: [title: string, count: number, value: number][] = [
  ['RunsFailed', 5, 1],
  ['MachinesFailed', 1, 1],
  ['FunctionErrors', 5, 1],
  ['Throttles', 10, 1],
  ['ApiErrors', 5, 1],
  ['RelayBehind', 1, 600_000],
  ['BroadcastBehind', 1, 600_000],
  ['Undelivered', 1, 1],
  ['OutboxWaits', 1, 600_000],
  ['Repairs', 1, 1],
  ['ModelSlow', 2, 60_000],
  ['Cost', 4, 2.5],
];
test.each(limits)('%s is raised by %i of %d in a period, and not by less (R171)', (title, count, value) => {
  const alarm = alarmsIn()[title]!;
  const hour = 3_600_000;
  const points = Array.from({ length: count }, (_, at) => ({ at: 1_000 * hour + at, value }));
  expect(isRaised(alarm, points)).toBe(true);
  expect(
    isRaised(
      alarm,
      points.map((one) => ({ ...one, value: value * 0.99 })),
    ),
  ).toBe(false);
  expect(isRaised(alarm, [])).toBe(false);
  const apart = points.map(({ value }, at) => ({ at: at * hour, value }));
  expect(isRaised(alarm, apart)).toBe(count === 1 || title === 'ModelSlow');
});

test('a deployment sets when they are raised (R171)', () => {
  const alarms = { failedRuns: 1, functionErrors: 2, throttles: 3, apiErrors: 4, modelSeconds: 5, dollarsInHour: 0.5 };
  const own = alarmsIn(declared(() => alarms));
  const set = (title: string) => own[title]!.Properties.Threshold;
  expect(['RunsFailed', 'FunctionErrors', 'Throttles', 'ApiErrors', 'ModelSlow', 'Cost'].map(set)).toEqual([
    1, 2, 3, 4, 5_000, 0.5,
  ]);
  for (const wrong of [0, -1, Number.NaN, '5' as never])
    expect(() => declared(() => ({ dollarsInHour: wrong }))).toThrow(
      `alarms.dollarsInHour is ${wrong}: it must be a number above 0.`,
    );
});

test('functions that count know the stack (R171)', () => {
  const countingIn = (from: Template['Resources']) =>
    ofType('AWS::Lambda::Function', from).flatMap(([id, { Properties }]) => {
      const { Variables } = (Properties.Environment ?? { Variables: {} }) as { Variables: Record<string, string> };
      return Variables.STACK_NAME ? [[id, Variables.STACK_NAME]] : [];
    });
  const counting = ['Broadcast', 'CallModel', 'Embed', 'Reconcile', 'Relay', 'Telemetry'];
  expect(countingIn(resources).sort()).toEqual(counting.map((id) => [id, 'Shop']));
});

test('the dashboard shows each metric that functions print, and none that is not there (R171)', () => {
  const [[, { Properties }]] = ofType('AWS::CloudWatch::Dashboard') as [[string, Resource]];
  const body = JSON.stringify(Properties.DashboardBody);
  const shown = [...body.matchAll(/\\"Vigil\\",\\"(\w+)\\"/g)].map(([, name]) => name!);
  expect([...new Set(shown)].sort()).toEqual(Object.keys(metrics).sort());
  expect(Object.keys(Properties)).toEqual(['DashboardBody']);
});
