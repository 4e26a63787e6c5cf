import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { CognitoIdentityProviderClient, DescribeUserPoolCommand } from '@aws-sdk/client-cognito-identity-provider';
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ListBucketsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SFNClient } from '@aws-sdk/client-sfn';
import { playFirstHour } from '../aws/first-hour';
import type { User } from '../support/api-client';
import { executionsOf, historyOf, statesEntered } from '../support/history';
import { liveClient } from '../support/live-client';
import { reminderStates } from '../support/stories/reminder-story';
import { wordsOf } from '../support/stories/transcript';
import type { Template } from '../support/template-rights';
import { cdk, changedAssembly } from './cdk';
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
import { differences } from './differences';
import { failAfter, faultsOf, leftBehind } from './first-deployment';
import { type Deployed, person } from './people';
import { lostBy } from './replacements';

// The shipped template in a cloud that others wrote, MiniStack: deployed by the CDK's command line, used through its own API Gateway,
// upgraded and deleted. `run.sh` starts the cloud. Nothing here calls a function or a state machine.

const { endpoint } = access;
/** Templates of earlier days: of each release, since there are releases (CONTRIBUTING.md). */
const recordings = join(__dirname, 'recorded');
const recorded = readdirSync(recordings).map((file) => file.replace('.template.json.gz', ''));
const stepFunctions = new SFNClient(access);
const cognito = new CognitoIdentityProviderClient(access);
let deployment: Deployment;
let deployed: Deployed;
let ada: User;
let bob: User;
/** The number of places that each difference has changed. */
let changes: number[];
let deploymentSeconds: number;
/** What each first deployment that failed has left. */
const failed: { after: string; status: string; left: string[] }[] = [];

/** `SECOND_CLOUD_FAULTS=all`: after a resource of each type, in some fifteen minutes. */
function faults(): string[] {
  const template = JSON.parse(readFileSync(deployment.inFolder('adapted/Vigil.template.json'), 'utf8')) as Template;
  return faultsOf(template, process.env.SECOND_CLOUD_FAULTS === 'all');
}

/** MiniStack's CloudFormation deletes what is protected, too. That nothing is yet, a test of the template shows (`infra/props`). */
async function failToDeploy(after: string): Promise<void> {
  changeTo(after, (template) => failAfter(template, after));
  await expect(deployment.deploy(after)).rejects.toThrow(/failed/i);
  failed.push({ after, ...(await leftBehind(access)) });
}

const changeTo = (name: string, change: (template: Template) => void) =>
  changedAssembly(deployment.inFolder('adapted'), deployment.inFolder(name), change);

beforeAll(async () => {
  deployment = await openDeployment();
  changes = await deployment.synthesize('adapted');
  await deployment.bootstrap('adapted');
  for (const after of faults()) await phase(`cdk deploy, which fails after ${after}`, () => failToDeploy(after));
  deploymentSeconds = await phase('cdk deploy', () => deployment.deploy('adapted'));
  deployed = await deployment.open();
  await phase('two people sign in by SRP', async () => {
    [ada, bob] = await Promise.all([person(deployed, 'ada'), person(deployed, 'bob')]);
  });
});
afterAll(async () => {
  stepFunctions.destroy();
  cognito.destroy();
  await deployment?.stop();
});

const statusOf = async (user: User, ...request: Parameters<User['request']>) => (await user.request(...request)).status;

test.each(differences.map(({ reason }, index) => [reason, index] as const))('needed: %s (R291)', (_reason, index) => {
  expect(changes[index]).toBeGreaterThan(0);
});

test('a first deployment that fails is rolled back to nothing, and the next attempt works (R293)', () => {
  expect(failed).toEqual(failed.map(({ after }) => ({ after, status: 'ROLLBACK_COMPLETE', left: [] })));
  expect(failed.length).toBeGreaterThan(1);
});

test.each(recorded)(
  'since the template of %s, nothing that holds data, keys, addresses or executions is replaced (R293)',
  async (name) => {
    const earlier = join(deployment.inFolder('.'), `${name}.json`);
    writeFileSync(earlier, gunzipSync(readFileSync(join(recordings, `${name}.template.json.gz`))));
    expect(await lostBy(endpoint, deployment.inFolder('adapted-as-it-is'), earlier)).toEqual([]);
    // What must be found is found.
    changedAssembly(deployment.inFolder('adapted-as-it-is'), deployment.inFolder('replacing'), ({ Resources }) => {
      delete Resources.Timer!.Properties.StateMachineType;
      Resources.ConversationTable!.Properties.TableName = 'another';
      delete Resources.UsersPoolBFC35D3B;
    });
    const lost = await lostBy(endpoint, deployment.inFolder('replacing'), earlier);
    expect(lost.map(({ id }) => id).sort()).toEqual(['ConversationTable', 'Timer', 'UsersPoolBFC35D3B']);
  },
);

test('a request without a token, and one with a forged token, get 401 (R291)', async () => {
  expect((await fetch(`${deployed.api}/agents`)).status).toBe(401);
  const forged = { authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` };
  expect((await fetch(`${deployed.api}/agents`, { headers: forged })).status).toBe(401);
  expect(await statusOf(ada, 'GET', '/agents')).toBe(200);
});

test('CloudFront answers by HTTPS only, with the headers of the page, and its paths lead to the page (R291)', async () => {
  // In the place of the copy, which does not run here.
  const s3 = new S3Client({ ...access, forcePathStyle: true });
  const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
  const Bucket = Buckets.find(({ Name }) => Name!.includes('pagefiles'))!.Name!;
  const Body = readFileSync(join(__dirname, '../../web/dist/index.html'), 'utf8');
  await s3.send(new PutObjectCommand({ Bucket, Key: 'index.html', Body, ContentType: 'text/html' }));
  s3.destroy();

  expect(await fromPage('/', 'http')).toMatchObject({
    status: 301,
    headers: { location: `${deployment.outputs.PageUrl}/` },
  });
  expect(await fromPage('/api/agents', 'http')).toMatchObject({ status: 403 });
  for (const path of ['/', '/c/c_1']) {
    const { status, headers, body } = await fromPage(path, 'https');
    expect([status, body]).toEqual([200, Body]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers['strict-transport-security']).toMatch(/^max-age=/);
  }
  expect((await fromPage('/assets/none.js', 'https')).status).toBe(403);
});

/** Requests a path of the page. MiniStack finds the distribution by the Host, which `fetch` does not set. */
async function fromPage(path: string, protocol: 'http' | 'https') {
  const headers = { host: new URL(deployment.outputs.PageUrl!).host, 'x-forwarded-proto': protocol };
  const [response] = (await once(get(endpoint + path, { headers }), 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

test('a reminder sleeps, comes and ends, state by state (R291)', async () => {
  const { id } = await ada.start('reminder', 'Remind me in 10 seconds to renew my passport');
  const over = await done(ada, id);
  expect(wordsOf(over).slice(-2)).toEqual([
    ['reminder', '⏰ Time to renew your passport.'],
    ['reminder', 'Done: I have reminded you.'],
  ]);
  const { executionArn } = (await executionsOf(stepFunctions, deployment.outputs.StateMachineArn!, over.run!.id))[0]!;
  expect(statesEntered(await historyOf(stepFunctions, executionArn!))).toEqual(reminderStates);
});
test('the travel agent asks, waits for the answer, searches, reads and plans (R291)', async () => {
  const { id } = await ada.start('travel', 'Plan a trip for me.');
  const asked = await waiting(ada, id);
  expect(asked.messages.at(-1)!.text).toMatch(/^Where would you like to go/);
  await ada.say(id, 'Two days in Kyoto in May');
  const over = await done(ada, id);
  expect(over.messages.at(-1)!.text).toMatch(/PLAN COMPLETE$/);
  expect(over.calls.map(({ tool, status }) => [tool, status])).toEqual([
    ['internet_search', 'completed'],
    ['scrape_website', 'completed'],
    ['scrape_website', 'completed'],
  ]);
});

test('two people write in one conversation, and one of them sees it by the socket alone (R291)', async () => {
  const { id } = await ada.start('chat', 'Hello');
  await done(ada, id);
  expect(await statusOf(bob, 'GET', `/conversations/${id}`)).toBe(404);
  await ada.client.api.setMember(id, { member: `user:${bob.id}`, role: 'member', name: 'Bob' });
  await bob.client.api.acceptInvitation(id);
  const live = await liveClient(bob);
  await live.follow(id);
  await ada.say(id, '/say Knock, knock.');
  await live.until(() => live.of(id)?.messages.at(-1)?.text === 'Knock, knock.');
  await bob.say(id, '/say Who is there?');
  await live.until(() => live.of(id)?.messages.at(-1)?.text === 'Who is there?');
  expect(live.reads).toBe(1);
  await live.close();
  const over = await done(ada, id);
  expect(over.messages.slice(-4).map(({ author }) => author)).toEqual([ada.id, 'chat', bob.id, 'chat']);
});

test('a deferred call answers at once, and its message wakes the agent (R291)', async () => {
  const later = callOf('remind_later', { message: 'Drink water', delay_seconds: 5, at: null });
  const { id } = await ada.start('reminder', later);
  const arranged = await done(ada, id);
  expect(arranged.calls).toMatchObject([{ tool: 'remind_later', status: 'completed' }]);
  const due = (text: string) => text.startsWith('⏰ Due at');
  const over = await ada.until(
    id,
    ({ status, messages }) => status === 'done' && messages.some(({ text }) => due(text)),
    patienceMs,
  );
  expect(over.timers).toMatchObject([{ kind: 'once', status: 'done', fired: 1 }]);
  expect(over.messages.at(-1)!.role).toBe('assistant');
});

test('the bank hands over to the agent for accounts (R291)', async () => {
  const { id } = await ada.start('bank', 'What is my balance?');
  const over = await done(ada, id);
  expect(over.agent).toBe('account-manager');
  expect(over.calls.map(({ tool, status }) => [tool, status])).toEqual([
    ['hand_off_to_account_manager', 'completed'],
    ['get_balance', 'completed'],
  ]);
});

test('an approval pays once, and only the customer may give it (R291)', async () => {
  const before = await balanceOf(ada);
  const { id } = await ada.start('account-manager', toAda);
  const { callbacks } = await waiting(ada, id);
  const approval = `/conversations/${id}/callbacks/${callbacks[0]!.id}`;
  expect(await statusOf(bob, 'POST', approval, { approved: true })).toBe(404);
  await ada.client.api.setMember(id, { member: `user:${bob.id}`, role: 'watcher', name: 'Bob' });
  await bob.client.api.acceptInvitation(id);
  expect(await statusOf(bob, 'POST', approval, { approved: true })).toBe(403);
  await ada.answer(id, callbacks[0]!.id, { approved: true });
  expect((await done(ada, id)).calls).toMatchObject([{ tool: 'transfer', status: 'completed' }]);
  await ada.request('POST', approval, { approved: true });
  expect(await balanceOf(ada)).toBe(before - 90_000);
});

test('a cancelled run undoes what it has paid (R291)', async () => {
  const before = await balanceOf(bob);
  const paid = callOf('transfer', { to: 'City Power and Water', amount_cents: 1_000, purpose: 'Power' });
  const { id } = await bob.start('account-manager', `${paid}\n${toAda}`);
  await bob.until(id, ({ calls, status }) => status === 'waiting' && calls[0]?.status === 'completed', patienceMs);
  await bob.cancel(id);
  const over = await bob.until(id, ({ status }) => status === 'cancelled', patienceMs);
  expect(over.run!.reason).toBe('Cancelled by the user. 1 of 1 effects undone.');
  expect(over.calls.map(({ status }) => status)).toEqual(['undone', 'cancelled']);
  expect(await balanceOf(bob)).toBe(before);
});

test('the stories of the first hour on AWS go well here, too, and their report has no id and no text (R291)', async () => {
  const report = await playFirstHour(deployed, { delay: '10 seconds' });
  expect(report).toEqual(report.map(({ story, seconds }) => ({ story, isWell: true, seconds })));
  expect(report.length).toBe(5);
});

test('an upgrade of the stack, and the way back, disturb neither open approvals nor a sleeping run (R291)', async () => {
  const [before, after] = [await ada.start('account-manager', toAda), await ada.start('account-manager', toAda)];
  const approvals = [await waiting(ada, before.id), await waiting(ada, after.id)].map(({ callbacks }) => callbacks[0]!);
  // Enough for two upgrades, mostly. If one takes longer, the time comes while it is deployed.
  const seconds = deploymentSeconds * 3 + 10;
  const reminder = await ada.start('reminder', `Remind me in ${seconds} seconds to water the plants`);
  await ada.until(reminder.id, ({ status }) => status === 'sleeping', patienceMs);
  const { NotYetProtected, ...names } = deployment.outputs;
  expect(NotYetProtected).toContain('DeletionProtection=on');
  changeTo('upgraded', upgrade);
  await phase('cdk deploy, an upgrade', () => deployment.deploy('upgraded', '--parameters', 'DeletionProtection=on'));
  await ada.answer(before.id, approvals[0]!.id, { approved: true });
  expect((await done(ada, before.id)).calls).toMatchObject([{ tool: 'transfer', status: 'completed' }]);
  await phase('cdk deploy, the way back', () => deployment.deploy('adapted'));
  // The outputs have the names of the table, the bucket and the user pool: none was replaced.
  expect(deployment.outputs).toEqual(names);
  await ada.answer(after.id, approvals[1]!.id, { approved: true });
  expect((await done(ada, after.id)).calls).toMatchObject([{ tool: 'transfer', status: 'completed' }]);
  expect(wordsOf(await done(ada, reminder.id)).at(-1)).toEqual(['reminder', 'Done: I have reminded you.']);
});

/** Changes every function and every state machine. */
function upgrade({ Resources }: Template): void {
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type === 'AWS::Lambda::Function') Properties.MemorySize = Number(Properties.MemorySize) + 64;
    if (Type === 'AWS::StepFunctions::StateMachine')
      Properties.DefinitionString = String(Properties.DefinitionString).replace('"Comment":"', '"Comment":"Changed. ');
  }
}

test('the stack is deleted; the protected table and the users are kept (R291)', async () => {
  await phase('cdk destroy', () =>
    cdk(endpoint, ['destroy', 'Vigil', '--force', '--app', deployment.inFolder('adapted')]),
  );
  expect((await fetch(`${deployed.api}/agents`)).status).toBe(404);
  const table = new DynamoDBClient(access);
  const { Table } = await table.send(new DescribeTableCommand({ TableName: deployment.outputs.TableName }));
  table.destroy();
  expect(Table).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true });
  const { UserPool } = await cognito.send(new DescribeUserPoolCommand({ UserPoolId: deployment.outputs.UserPoolId }));
  expect(UserPool).toMatchObject({ Id: deployment.outputs.UserPoolId, DeletionProtection: 'ACTIVE' });
});
