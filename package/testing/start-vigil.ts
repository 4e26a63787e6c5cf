import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { anyText, anything, checkOptions, fields, optional, recordOf, text } from '../../core/base/schemas/definition';
import { withFolderLock } from '../../infra/bundling/folder-lock';
import { openAssembly } from '../../local/build/assembly';
import { openSigningKey } from '../../local/http-api/identity';
import { appProject } from '../../local/npm-start/app-project';
import { synthesisVariables } from '../../local/npm-start/start-settings';
import { type Script, type Style, startModelServer } from '../../test/support/servers/model-server';
import { endCloud, startCloud } from './cloud-process';
import { type Vigil, vigilOf } from './vigil';

export interface VigilOptions {
  /** The folder of the CDK app, with its `cdk.json`. By default, the working directory. */
  app?: string;
  /** Synthesizes the app instead of the command in `cdk.json`. */
  command?: string;
  /** The replies of the model: a list, or a function of the request. They can be changed later (`vigil.model.script`). */
  script?: Script;
  /** The differences of the model server from OpenAI's, for example the size of its streamed pieces. */
  style?: Style;
  /** Values for variables and secrets of functions, by name. */
  variables?: Record<string, string>;
}

const vigilOptions = fields<VigilOptions>({
  app: optional(text),
  command: optional(text),
  script: anything,
  style: anything,
  variables: optional(recordOf(anyText)),
});

/**
 * Synthesizes the app, unless nothing has changed since the last time, and runs it on this machine in a process of its
 * own: with its real template, functions, state machines and policies. Only the model is scripted. Each start has a state
 * of its own.
 *
 * @throws Error in one line if the app cannot be synthesized or run.
 * @example
 * ```ts
 * import { call, startVigil } from 'vigil/testing';
 *
 * const vigil = await startVigil();
 * const answer = { answer: 'We are closed on Mondays.', day: 'monday' };
 * vigil.model.script([call('opening_hours', { day: 'monday' }), { text: JSON.stringify(answer) }]);
 * const ada = await vigil.user('ada');
 * const { id } = await ada.start('guide', 'Are you open on Monday?');
 *
 * const { run, calls } = await ada.finished(id);
 * calls[0]?.result; // → { open: 'closed' }
 * run?.result; // → { answer: 'We are closed on Mondays.', day: 'monday' }
 * await vigil.stop();
 * ```
 */
export async function startVigil(options: VigilOptions = {}): Promise<Vigil> {
  checkOptions('startVigil', options, vigilOptions);
  const { app = '.', command, script, style, variables } = options;
  const root = resolve(app);
  const kept = join(root, '.vigil/test');
  const assembly = await assemblyOf(root, kept, command);
  const state = await mkdtemp(join(tmpdir(), 'vigil-test-'));
  const closing: (() => unknown)[] = [() => rm(state, { recursive: true, force: true, maxRetries: 20 })];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const model = await startModelServer({ script, style });
    closing.push(model.stop);
    const values = {
      // A title would be one more request in every script, and an embedding one more function for every message.
      VIGIL_TITLES: 'off',
      VIGIL_EMBED_MESSAGES: 'off',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'scripted',
      ...variables,
    };
    const start = (port = '0', awsPort = '0') =>
      startCloud({
        assembly,
        state,
        identityKey: join(kept, 'identity.pem'),
        env: { ...ofMachine(process.env), ...values },
        args: ['--port', port, '--aws-port', awsPort, ...Object.keys(values).flatMap((name) => ['--variable', name])],
      });
    let cloud = await start();
    closing.push(() => endCloud(cloud, 'SIGTERM'));
    const stepFunctions = stepFunctionsAt(cloud.awsUrl);
    closing.push(() => stepFunctions.destroy());
    return vigilOf({
      get cloud() {
        return cloud;
      },
      stepFunctions,
      model,
      state,
      stop,
      agentLoop: await agentLoopIn(stepFunctions),
      idOf: (name) => name,
      kill: () => endCloud(cloud, 'SIGKILL'),
      async restart() {
        await endCloud(cloud, 'SIGKILL');
        // Outside systems keep the addresses that they were given.
        cloud = await start(new URL(cloud.url).port, new URL(cloud.awsUrl).port);
      },
    });
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Several files of tests run at the same time, and one of them synthesizes. */
function assemblyOf(root: string, kept: string, command?: string): Promise<string> {
  const { sources, builder } = appProject(root, { command, web: '' });
  return withFolderLock(kept, async () => {
    const folder = join(kept, 'assembly');
    const env = { ...synthesisVariables(process.env), command };
    const assembly = await openAssembly({ folder, root, sources, env, builder });
    await assembly.look();
    if (!assembly.isCurrent()) await assembly.build();
    await openSigningKey(kept);
    return folder;
  });
}

const machineNames = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SystemRoot',
  'TMPDIR',
  'TEMP',
  'TMP',
  'AWS_REGION',
  'DYNAMODB_ENDPOINT',
  'SFN_ENDPOINT',
  'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED',
];

// The SDK announces the end of Node 20 in every test otherwise.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';

/** Returns what a process needs on this machine. Other variables, such as a developer's keys, would change a story. */
const ofMachine = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(machineNames.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

const stepFunctionsAt = (awsUrl: string): SFNClient =>
  new SFNClient({
    endpoint: awsUrl,
    region: process.env.AWS_REGION ?? 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

async function agentLoopIn(client: SFNClient): Promise<string> {
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  const loop = stateMachines.find(({ name }) => name?.includes('AgentLoop'));
  if (!loop) throw new Error('The app has no agent loop: add the construct `Vigil` of `vigil/cdk`.');
  return loop.stateMachineArn!;
}
