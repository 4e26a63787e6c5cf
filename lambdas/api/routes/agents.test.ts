import { shipped } from '../../../agents';
import type { AgentCard } from '../../../core/base/state/schemas';
import type { Registry } from '../../../core/conversations/agent/registry';
import type { Table } from '../../../core/conversations/store/table';
import type { AgentDetails } from '../../../core/people/views/agent-details';
import { shipped as ofTests } from '../../../test/agents';
import { apiDeployment } from '../../../test/support/api-deployment';
import { loggedLines } from '../../../test/support/logged';
import { api } from '../app';
import { machineFor } from '../developers';

loggedLines();

// What an agent's page shows, of the real agents and of those of the scenarios.

const stateMachineArn = 'arn:aws:states:eu-central-1:123456789012:stateMachine:AgentLoop';
const table = {} as Table;

function ask(name: string, { registry = shipped, group, limits = {}, groups = '', user = 'ada' }: Asking = {}) {
  const app = api(apiDeployment(table, registry, { limits: () => limits, developers: { group, stateMachineArn } }));
  const claims = { sub: user, token_use: 'access', exp: '9999999999', 'cognito:groups': groups };
  const event = { requestContext: { authorizer: { jwt: { claims } } } };
  return app.request(`/agents/${name}`, {}, { event });
}
interface Asking {
  registry?: Registry;
  group?: string;
  limits?: { steps?: number };
  groups?: string;
  user?: string;
}
const read = async (...given: Parameters<typeof ask>) => (await (await ask(...given)).json()) as AgentDetails;
const toolIn = ({ tools }: AgentDetails, name: string) => tools.find((tool) => tool.name === name)!;

test('every agent has a page, and what it says fits its schema (R163)', async () => {
  const { AgentDetails } = await import('../../../core/people/views/agent-details');
  for (const registry of [shipped, ofTests])
    for (const { name, purpose, tools, hosted } of registry.agents.values()) {
      const agent = await read(name, { registry });
      expect(AgentDetails.strict().parse(agent)).toMatchObject({ name, purpose });
      expect(agent.tools.map((tool) => tool.name)).toEqual([...tools, ...hosted].map((tool) => tool.name));
    }
});

test('a tool says what it is for, what it may do, and who decides about it (R163)', async () => {
  const manager = await read('account-manager');
  expect(toolIn(manager, 'transfer')).toMatchObject({
    kind: 'function',
    effect: 'table',
    undo: true,
    afterUntrusted: expect.any(String),
    description: expect.any(String),
    approval: { by: 'owner', excludesOwner: false, prompt: expect.any(String) },
    input: { type: 'object', properties: { amount_cents: { description: expect.any(String) } } },
  });
  expect(toolIn(manager, 'get_balance')).toMatchObject({ effect: 'read', undo: false, afterUntrusted: 'allow' });
  expect(toolIn(manager, 'get_balance').approval).toBeUndefined();
  const cashier = await read('cashier', { registry: ofTests });
  expect(toolIn(cashier, 'refund').approval).toMatchObject({ by: { group: expect.any(String) }, excludesOwner: true });
  const tester = await read('tester', { registry: ofTests });
  expect(toolIn(tester, 'hit_once')).toMatchObject({ effect: 'once', attemptsAtMost: 1 });
  expect(toolIn(tester, 'schedule')).toEqual({
    name: 'schedule',
    title: 'Wait',
    kind: 'wait',
    description: expect.any(String),
    input: expect.any(Object),
  });
});

test('it names the agents that it reaches, and the limits and the model of the deployment (R163)', async () => {
  const front = await read('bank', { limits: { steps: 77 } });
  expect(front.handOffs.length).toBeGreaterThan(0);
  expect(front.tools.filter(({ kind }) => kind === 'hand-off').map(({ to }) => to)).toEqual(front.handOffs);
  expect(front.limits.steps).toBe(77);
  expect(front.model).toEqual({ name: shipped.agents.get('bank')!.model.name });
  process.env.VIGIL_MODEL = 'small';
  try {
    expect((await read('bank')).model).toEqual({ name: 'small' });
  } finally {
    delete process.env.VIGIL_MODEL;
  }
});

test.each<[string, Asking, boolean]>([
  ['nobody, if no group is set', { groups: '[staff]' }, false],
  ['no user without the group', { group: 'developers', groups: '[staff]' }, false],
  ['no user who is called like the group', { group: 'developers', user: 'developers' }, false],
  ['a member of the group', { group: 'developers', groups: '[staff developers]' }, true],
  ['every user, for *', { group: '*' }, true],
])('instructions and the state machine are for developers: %s (R163)', async (_who, asking, may) => {
  const { instructions } = await read('reminder', asking);
  expect(instructions).toBe(may ? shipped.agents.get('reminder')!.instructions : undefined);
  const groups = (asking.groups ?? '').replace(/[[\]]/g, '').split(' ');
  expect(machineFor({ group: asking.group, stateMachineArn }, { groups })).toEqual(may ? { stateMachineArn } : {});
});

test('an agent that does not exist is not found, and nobody reads one without a sign-in (R163)', async () => {
  const missing = await ask('pirate');
  expect([missing.status, await missing.json()]).toEqual([
    404,
    expect.objectContaining({ detail: 'There is no agent "pirate".' }),
  ]);
  expect((await ask('reminder', { user: '' })).status).toBe(401);
});

test('no page has an address, a header or a key of a provider, or a name of a secret (R163, R35)', async () => {
  for (const { name } of ofTests.agents.values()) {
    const text = JSON.stringify(await read(name, { registry: ofTests, group: '*' }));
    expect(text).not.toMatch(/baseUrl|_API_KEY|_TOKEN|CLIENT_SECRET|tokenUrl|"headers"/);
  }
});

test('an agent says to whom of its people that they may take a conversation over without being asked (R228)', async () => {
  const mayStepIn = async (groups: string) => (await read('clerk', { registry: ofTests, groups })).mayStepIn;
  expect(await mayStepIn('[helpers]')).toBe(true);
  expect([await mayStepIn('[leads]'), await mayStepIn('')]).toEqual([undefined, undefined]);
  // The list says the same: `/agents/../agents`.
  const list = await (await ask('../agents', { registry: ofTests, groups: '[helpers]' })).json();
  const may = (list as { agents: AgentCard[] }).agents.filter((one) => one.mayStepIn).map(({ name }) => name);
  expect(may).toEqual(['clerk']);
});
