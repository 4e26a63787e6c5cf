import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type Environment, Stack, Stage } from 'aws-cdk-lib';
import { emptyBundles } from '../test/support/clouds/empty-bundles';
import { newApp } from '../test/support/clouds/new-app';
import type { Built } from './bundling/build';
import { stateful } from './stateful';
import { Vigil } from './vigil';
import type { VigilProps } from './vigil-props';

// Several environments of one app: nothing that they share has a name, and what holds data keeps its id.

interface Resource {
  Type: string;
  Properties?: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
}
type Resources = Record<string, Resource>;
interface Template {
  Resources: Resources;
  Parameters: Record<string, object>;
  Conditions: Record<string, object>;
  Outputs: Record<string, { Value: string; Condition: string }>;
}

const folder = mkdtempSync(join(tmpdir(), 'vigil-environments-'));
const page = join(folder, 'page');
const env = { account: '123456789012', region: 'eu-central-1' };
let agents: Built;
let app: App;
let dev: Resources;

beforeAll(() => {
  mkdirSync(join(page, 'assets'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '');
  agents = emptyBundles(join(folder, 'bundles'));
  app = newApp();
  dev = stage('Dev', env);
});
afterAll(() => rmSync(folder, { recursive: true }));

const stage = (...of: Parameters<typeof templateOf>): Resources => templateOf(...of).Resources;

function templateOf(name: string, of: Environment, props: Partial<VigilProps> = {}, id = 'Agents'): Template {
  const stack = new Stack(new Stage(app, `${name}-${of.region}`, { env: of, stageName: name }), 'Shop');
  new Vigil(stack, id, { agents, page, ...props });
  return (app.node.findChild(`${name}-${of.region}`) as Stage).synth().getStackByName(stack.stackName).template;
}

/** Names that have to be unique within another resource only, and those of metrics. */
const within = [
  'AWS::IAM::Policy PolicyName',
  'AWS::ApiGatewayV2::Authorizer Name',
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::Cognito::UserPoolResourceServer Name',
  'AWS::CloudWatch::Alarm MetricName',
];

/** Returns the physical names that a template gives: what CloudFormation names has none there. */
function names(resources: Resources): string[] {
  return Object.values(resources).flatMap(({ Type, Properties = {} }) => {
    const configured = Object.values(Properties).flatMap((value) => Object.entries(value ?? {}));
    const all = [...Object.entries(Properties), ...configured.filter(([key]) => key === 'Name')];
    const named = all.filter(([key]) => /(^|[a-z])Name$|^Domain$/.test(key) && !within.includes(`${Type} ${key}`));
    return named.map(([, value]) => `${Type} ${JSON.stringify(value)}`).filter((name) => !refersTo(name, resources));
  });
}

/** Whether a value is the name of another resource. */
const refersTo = (value: string, resources: Resources): boolean =>
  Object.keys(resources).some((id) => value.includes(`"Ref":"${id}"`) || value.includes(`"Fn::GetAtt":["${id}"`));

test('two stages in one region share no physical name, and neither does one in two regions, with the page (R166)', () => {
  const prod = stage('Prod', env);
  const elsewhere = stage('Dev', { ...env, region: 'us-east-1' });
  const [inDev, inProd, inOther] = [dev, prod, elsewhere].map(names) as [string[], string[], string[]];
  expect(inDev.map((name) => name.split(' ')[0])).toEqual(
    expect.arrayContaining([
      'AWS::Events::EventBus',
      'AWS::Logs::LogGroup',
      'AWS::CloudFront::Function',
      'AWS::CloudFront::OriginAccessControl',
      'AWS::CloudFront::ResponseHeadersPolicy',
      'AWS::Cognito::UserPoolDomain',
    ]),
  );
  const ofStack = (name: string) => name.includes('AWS::StackId');
  expect(inProd.filter((name) => inDev.includes(name) && !ofStack(name))).toEqual([]);
  const global = inOther.filter((name) => name.startsWith('AWS::CloudFront') || name.startsWith('AWS::S3'));
  expect(global.length).toBeGreaterThan(3);
  expect(global.filter((name) => inDev.includes(name))).toEqual([]);
});

describe('what holds data, or is used by running executions (R166)', () => {
  const kept =
    /^AWS::(DynamoDB::Table|Cognito::UserPool|SecretsManager::Secret|SQS::Queue|S3::Bucket|Events::EventBus)$/;
  /** The roles of the state machines, by the machines. */
  const roles = (resources: Resources) =>
    Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::StepFunctions::StateMachine')
      .map(({ Properties }) => (Properties!.RoleArn as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0]);
  const pinned = (resources: Resources) => [
    ...Object.keys(resources).filter((id) => kept.test(resources[id]!.Type)),
    ...roles(resources),
  ];
  /** Anyone can make these again, and the keys pin their ids by their names. */
  const others = ['BrowserlessToken', 'LiveTable', 'OpenaiApiKey', 'SerperApiKey'];

  test('keeps its logical id wherever its construct is', () => {
    const ids = Object.values(stateful);
    expect(
      pinned(dev)
        .filter((id) => !ids.includes(id))
        .sort(),
    ).toEqual(others);
    expect(ids.filter((id) => !Object.hasOwn(dev, id))).toEqual([]);
    expect(pinned(stage('Test', env, {}, 'Elsewhere'))).toEqual(pinned(dev));
  });

  test('is kept when the stack is deleted, but not when its creation is rolled back', () => {
    const data = [
      'ConversationTable',
      'FilesBucket',
      'UsersPoolBFC35D3B',
      ...Object.keys(dev).filter((id) => dev[id]!.Type === 'AWS::SecretsManager::Secret'),
    ];
    for (const id of data)
      expect({ id, ...dev[id] }).toMatchObject({
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    const retained = Object.keys(dev).filter(
      (id) => /^Retain/.test(dev[id]!.DeletionPolicy ?? '') && !data.includes(id),
    );
    expect(retained).toEqual([]);
  });

  test('refuses to be deleted from the second deployment on, so that a first one that fails is rolled back (R293)', () => {
    const protectedIn = ({ ConversationTable, UsersPoolBFC35D3B }: Resources) => [
      ConversationTable!.Properties!.DeletionProtectionEnabled,
      UsersPoolBFC35D3B!.Properties!.DeletionProtection,
    ];
    const { Parameters, Conditions, Outputs } = templateOf('Asked', env);
    expect(Parameters).toMatchObject({ DeletionProtection: { Default: 'off', AllowedValues: ['off', 'on'] } });
    const [isOn] = Object.entries(Conditions).find(([, one]) => 'Fn::Equals' in one)!;
    expect(Conditions[isOn]).toEqual({ 'Fn::Equals': [{ Ref: 'DeletionProtection' }, 'on'] });
    expect(protectedIn(dev)).toEqual([{ 'Fn::If': [isOn, true, false] }, { 'Fn::If': [isOn, 'ACTIVE', 'INACTIVE'] }]);
    // Each deployment says so, until it is on.
    expect(Conditions[Outputs.NotYetProtected!.Condition]).toEqual({ 'Fn::Not': [{ Condition: isOn }] });
    expect(Outputs.NotYetProtected!.Value).toContain('--parameters DeletionProtection=on');
  });

  test('is protected or not, without a parameter, where the app says so', () => {
    const fixed = (deletionProtection: boolean) =>
      templateOf(deletionProtection ? 'On' : 'Off', env, { deletionProtection });
    for (const [on, table, pool] of [
      [true, true, 'ACTIVE'],
      [false, false, 'INACTIVE'],
    ] as const) {
      const { Parameters, Resources } = fixed(on);
      expect(Parameters).not.toHaveProperty('DeletionProtection');
      expect(Resources.ConversationTable!.Properties!.DeletionProtectionEnabled).toBe(table);
      expect(Resources.UsersPoolBFC35D3B!.Properties!.DeletionProtection).toBe(pool);
    }
  });
});
