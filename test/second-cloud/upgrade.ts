import { CloudFormationClient, ListStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import type { User } from '../support/api-client';
import { wordsOf } from '../support/stories/transcript';
import {
  access,
  balanceOf,
  callOf,
  type Deployment,
  done,
  openDeployment,
  patienceMs,
  phase,
  toAda,
  waiting,
} from './deployment';
import { person } from './people';
import { kept } from './replacements';

// `run.sh --from COMMIT`: the stack of an earlier commit is deployed in the second cloud, upgraded to this one, and taken back, while runs
// sleep, timers run, and questions and approvals are open.

let deployment: Deployment;
let ada: User;
let seconds: number;
/** The physical ids of the stack's resources, after each deployment. */
const resources: Record<string, { type: string; physical: string }>[] = [];

beforeAll(async () => {
  deployment = await openDeployment();
  await deployment.synthesize('earlier', process.env.SECOND_CLOUD_FROM);
  await deployment.synthesize('now');
  await deployment.bootstrap('now');
  seconds = await phase('cdk deploy, the earlier one', () => deployment.deploy('earlier'));
  resources.push(await physicalIds());
  ada = await person(await deployment.open(), 'ada');
});
afterAll(() => deployment?.stop());

async function physicalIds() {
  const client = new CloudFormationClient(access);
  const { StackResourceSummaries = [] } = await client.send(new ListStackResourcesCommand({ StackName: 'Vigil' }));
  client.destroy();
  return Object.fromEntries(
    StackResourceSummaries.map(({ LogicalResourceId, ResourceType, PhysicalResourceId }) => [
      LogicalResourceId!,
      { type: ResourceType!, physical: PhysicalResourceId! },
    ]),
  );
}

async function move(name: string, assembly: string, ...more: string[]): Promise<void> {
  await phase(name, () => deployment.deploy(assembly, ...more));
  resources.push(await physicalIds());
}

const sleeping = (id: string) => ada.until(id, ({ status }) => status === 'sleeping', patienceMs);
const remindIn = (time: number) => ada.start('reminder', `Remind me in ${time} seconds to water the plants`);
const laterIn = (time: number) =>
  ada.start('reminder', callOf('remind_later', { message: 'Drink water', delay_seconds: time, at: null }));
const askWhere = async () => {
  const { id } = await ada.start('travel', 'Plan a trip for me.');
  await waiting(ada, id);
  return id;
};
const askToPay = async () => {
  const { id } = await ada.start('account-manager', toAda);
  const { callbacks } = await waiting(ada, id);
  return { id, callback: callbacks[0]!.id };
};

async function approve({ id, callback }: { id: string; callback: string }): Promise<void> {
  await ada.answer(id, callback, { approved: true });
  expect((await done(ada, id)).calls).toMatchObject([{ tool: 'transfer', status: 'completed' }]);
}

async function travelTo(id: string): Promise<void> {
  await ada.say(id, 'Two days in Kyoto in May');
  expect((await done(ada, id)).messages.at(-1)!.text).toMatch(/PLAN COMPLETE$/);
}

async function wokenBy(id: string): Promise<void> {
  const due = ({ text }: { text: string }) => text.startsWith('⏰ Due at');
  const over = await ada.until(id, (now) => now.status === 'done' && now.messages.some(due), patienceMs);
  expect(over.timers).toMatchObject([{ kind: 'once', status: 'done', fired: 1 }]);
}

async function reminded(id: string): Promise<void> {
  expect(wordsOf(await done(ada, id)).at(-1)).toEqual(['reminder', 'Done: I have reminded you.']);
}

test('runs of an earlier commit go on in this one, and runs of both go on after the way back (R293)', async () => {
  const before = await balanceOf(ada);
  const payments = [await askToPay(), await askToPay()];
  const trips = [await askWhere(), await askWhere()];
  const soon = [await remindIn(seconds + 30), await laterIn(seconds + 30)];
  const late = [await remindIn(seconds * 3 + 60), await laterIn(seconds * 3 + 60)];
  for (const { id } of [soon[0]!, late[0]!]) await sleeping(id);
  for (const { id } of [soon[1]!, late[1]!]) await done(ada, id);

  await move('cdk deploy, the upgrade', 'now');
  await approve(payments[0]!);
  await travelTo(trips[0]!);
  await reminded(soon[0]!.id);
  await wokenBy(soon[1]!.id);
  // Of this commit, for the way back.
  payments.push(await askToPay());
  trips.push(await askWhere());

  await move('cdk deploy, the way back', 'earlier');
  for (const payment of payments.slice(1)) await approve(payment);
  for (const trip of trips.slice(1)) await travelTo(trip);
  await reminded(late[0]!.id);
  await wokenBy(late[1]!.id);
  expect(await balanceOf(ada)).toBe(before - 3 * 90_000);
});

test('the resources that the upgrade and the way back replace hold neither data nor executions (R293)', () => {
  const replaced = resources.slice(1).flatMap((after, index) =>
    Object.entries(resources[index]!)
      .filter(([id, { physical }]) => after[id] && after[id].physical !== physical)
      .map(([id, { type }]) => ({ id, type })),
  );
  const words = new Set(replaced.map(({ id, type }) => `${type} ${id}`));
  process.stdout.write(`── replaced: ${[...words].join(', ') || 'nothing'}\n`);
  expect(replaced.filter(({ type }) => kept.test(type))).toEqual([]);
});
