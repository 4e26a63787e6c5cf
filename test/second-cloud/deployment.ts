import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { openStandIns, type StandIns } from '../../local/npm-start/stand-ins';
import type { User } from '../support/api-client';
import { cdk, changedAssembly } from './cdk';
import { differences } from './differences';
import type { Deployed } from './people';

/** Where the second cloud is, as the clients of the SDK take it. `run.sh` starts it. */
export const access = {
  endpoint: process.env.SECOND_CLOUD_URL!,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
};
const { endpoint } = access;
export const patienceMs = 300_000;

/** Does a part of the work that the stories need, and says how long it took. @returns the seconds. */
export async function phase(name: string, work: () => unknown): Promise<number> {
  const began = Date.now();
  await work();
  const seconds = Math.round((Date.now() - began) / 1_000);
  process.stdout.write(`── ${name}: ${seconds} s\n`);
  return seconds;
}

/** The stack in the second cloud. Assemblies have names. */
export interface Deployment {
  /** Of the last deployment. */
  outputs: Record<string, string>;
  inFolder(assembly: string): string;
  /**
   * Synthesizes the app in a folder, by default the shipped one, as `<name>-as-it-is`, and as `name` with what the second cloud needs.
   *
   * @returns the number of places that each difference has changed.
   */
  synthesize(name: string, from?: string): Promise<number[]>;
  bootstrap(assembly: string): Promise<void>;
  deploy(assembly: string, ...more: string[]): Promise<void>;
  /** What people need who sign in. The keys of models and tools are set. */
  open(): Promise<Deployed>;
  stop(): Promise<void>;
}

export async function openDeployment(): Promise<Deployment> {
  const folder = mkdtempSync(join(process.env.SECOND_CLOUD_FOLDER!, 'assemblies-'));
  const inFolder = (name: string) => join(folder, name);
  const standIns: StandIns = await openStandIns({});
  const cognito = new CognitoIdentityProviderClient(access);
  const deployment: Deployment = {
    outputs: {},
    inFolder,
    async synthesize(name, from) {
      // The variables of a deployment; keys are secrets.
      const variables = { ...standIns.variables, OPENAI_API_KEY: '', SERPER_API_KEY: '', BROWSERLESS_TOKEN: '' };
      const asItIs = inFolder(`${name}-as-it-is`);
      await phase('cdk synth', () => cdk(endpoint, ['synth', '--quiet', '-o', asItIs], variables, from));
      let changes: number[] = [];
      changedAssembly(asItIs, inFolder(name), (template) => {
        changes = differences.map(({ apply }) => apply(template, endpoint));
      });
      return changes;
    },
    async bootstrap(assembly) {
      const environment = 'aws://123456789012/us-east-1';
      await phase('cdk bootstrap', () => cdk(endpoint, ['bootstrap', environment, '--app', inFolder(assembly)]));
    },
    async deploy(assembly, ...more) {
      const file = inFolder('outputs.json');
      const asked = ['--require-approval', 'never', '--outputs-file', file, ...more];
      await cdk(endpoint, ['deploy', 'Vigil', '--app', inFolder(assembly), ...asked]);
      deployment.outputs = JSON.parse(readFileSync(file, 'utf8')).Vigil;
    },
    async open() {
      const { outputs } = deployment;
      const secrets = new SecretsManagerClient(access);
      for (const output of ['OpenaiApiKeySecretArn', 'SerperApiKeySecretArn', 'BrowserlessTokenSecretArn'])
        await secrets.send(new PutSecretValueCommand({ SecretId: outputs[output], SecretString: 'stand-in' }));
      secrets.destroy();
      const [, api] = /\/\/(\w+)\./.exec(outputs.ApiUrl!)!;
      return {
        cognito,
        api: `${endpoint}/_aws/execute-api/${api}`,
        userPoolId: outputs.UserPoolId!,
        clientId: outputs.UserPoolClientId!,
      };
    },
    async stop() {
      cognito.destroy();
      await standIns.stop();
      rmSync(folder, { recursive: true });
    },
  };
  return deployment;
}

export const done = (user: User, id: string) => user.until(id, ({ status }) => status === 'done', patienceMs);
export const waiting = (user: User, id: string) => user.until(id, ({ status }) => status === 'waiting', patienceMs);
export const callOf = (tool: string, input: object) => `/call ${tool} ${JSON.stringify(input)}`;
/** A transfer that the customer has to approve. */
export const toAda = callOf('transfer', { to: 'Ada', amount_cents: 90_000, purpose: 'Rent' });

/** Returns the customer's balance in cents, as the agent for accounts reads it. */
export async function balanceOf(user: User): Promise<number> {
  const { id } = await user.start('account-manager', callOf('get_balance', {}));
  const [call] = (await done(user, id)).calls;
  return (call!.result as { balance_cents: number }).balance_cents;
}
