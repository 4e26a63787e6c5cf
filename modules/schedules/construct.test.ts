import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type { Built } from '../../infra/bundling/build';
import { Vigil } from '../../infra/vigil';
import { emptyBundles } from '../../test/support/clouds/empty-bundles';
import { newApp } from '../../test/support/clouds/new-app';
import { schedules } from './construct';

const folder = mkdtempSync(join(tmpdir(), 'vigil-schedules-'));
afterAll(() => rmSync(folder, { recursive: true }));
const bundles = emptyBundles(folder);

const weekly = { name: 'weekly', every: 'P7D', text: 'Chase.', for: 'deployment' } as const;

/** The bundles, with a schedule of the agent `reminder`. */
function scheduled(): Built {
  const { agents } = bundles.agents;
  const reminder = { ...agents.get('reminder')!, schedules: [weekly] };
  return { ...bundles, agents: { ...bundles.agents, agents: new Map(agents).set('reminder', reminder) } };
}

const stackWith = (agents: Built, modules = [schedules()]) => {
  const stack = new Stack(newApp(), 'Shop');
  new Vigil(stack, 'Agents', { agents, modules, variables: { CHASED_USERS: '', NOT_GIVEN: undefined } });
  return stack;
};
const templateOf = (agents: Built) => Template.fromStack(stackWith(agents));
const onDeployment = { EventPattern: Match.objectLike({ source: ['aws.cloudformation'] }) };
const withVariable = {
  Description: Match.stringLikeRegexp('^Starts again'),
  Environment: { Variables: Match.objectLike({ CHASED_USERS: '' }) },
};

test('an agent with schedules needs the module, and the synthesis says which import has it (R277)', () => {
  expect(() => stackWith(scheduled(), [])).toThrow(
    "agent reminder: schedules: needs the module schedules: add schedules() to modules (import { schedules } from 'vigil/modules/schedules').",
  );
});

test('Reconcile applies schedules after each deployment, and has the variables of the app, so that an empty one can have a value where it runs (R250)', () => {
  const template = templateOf(scheduled());
  template.hasResourceProperties('AWS::Events::Rule', onDeployment);
  template.hasResourceProperties('AWS::Lambda::Function', withVariable);
  expect(JSON.stringify(template.toJSON())).not.toContain('NOT_GIVEN');
});

test('without schedules there is no such rule, and no variable (R250)', () => {
  const template = templateOf(bundles);
  expect(template.findResources('AWS::Events::Rule', { Properties: onDeployment })).toEqual({});
  expect(template.findResources('AWS::Lambda::Function', { Properties: withVariable })).toEqual({});
});

test('an empty list needs no module (R277)', () => {
  const { agents } = bundles.agents;
  const none = new Map(agents).set('reminder', { ...agents.get('reminder')!, schedules: [] });
  expect(() => stackWith({ ...bundles, agents: { ...bundles.agents, agents: none } }, [])).not.toThrow();
});
