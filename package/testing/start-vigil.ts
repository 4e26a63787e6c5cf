import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withFolderLock } from '../../infra/bundling/folder-lock';
import { openAssembly } from '../../local/build/assembly';
import { startLocalCloud } from '../../local/cloud';
import { appProject } from '../../local/npm-start/app-project';
import { synthesisVariables } from '../../local/npm-start/start-settings';
import { signIn, type User } from '../../test/support/api-client';
import { type ModelServer, type Script, startModelServer } from '../../test/support/model-server';

export interface VigilOptions {
  /** The folder of the CDK app, with its `cdk.json`. By default, the working directory. */
  app?: string;
  /** Synthesizes the app instead of the command in `cdk.json`. */
  command?: string;
  /** What the model replies: a list, or a function of the request. It can be changed later (`vigil.model.script`). */
  script?: Script;
  /** Values for variables and secrets of functions, by name. */
  variables?: Record<string, string>;
}

/** An app that runs for tests, with a scripted model. */
export interface Vigil {
  /** The address of the API and of the page. */
  url: string;
  /** The model of all agents. Its `requests` are what the agents sent. */
  model: ModelServer;
  /** Signs a user in. Names are free. */
  user(name?: string, groups?: string[]): Promise<User>;
  /** Moves the clock by an ISO 8601 duration, such as `P1D`. What is due by then happens. */
  advance(duration: string): Promise<void>;
  /** Returns the moved clock's time. */
  now(): Date;
  /** Stops it, and removes its state. */
  stop(): Promise<void>;
}

/**
 * Synthesizes the app, unless nothing has changed since the last time, and runs it on this machine: with its real
 * template, functions, state machines and policies. Only the model is scripted. Each start has a state of its own.
 *
 * @throws Error in one line if the app cannot be synthesized or run.
 */
export async function startVigil({ app = '.', command, script, variables }: VigilOptions = {}): Promise<Vigil> {
  const root = resolve(app);
  const assembly = await assemblyOf(root, command);
  const stateDirectory = await mkdtemp(join(tmpdir(), 'vigil-test-'));
  const closing: (() => unknown)[] = [() => rm(stateDirectory, { recursive: true, force: true })];
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close();
  };
  try {
    const model = await startModelServer({ script });
    closing.push(model.stop);
    const cloud = await startLocalCloud({
      assembly,
      stateDirectory,
      // A title would be one more request in every script.
      variables: { VIGIL_TITLES: 'off', OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'scripted', ...variables },
    });
    closing.push(cloud.stop);
    return {
      url: cloud.url,
      model,
      user: (name = 'ada', groups?) => signIn(cloud.url, name, groups),
      advance: (duration) => advance(cloud.url, duration),
      now: () => new Date(cloud.clock.now()),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Several files of tests run at the same time, and one of them synthesizes. */
function assemblyOf(root: string, command?: string): Promise<string> {
  const kept = join(root, '.vigil/test');
  const { sources, builder } = appProject(root, { command, web: '' });
  return withFolderLock(kept, async () => {
    const folder = join(kept, 'assembly');
    const env = { ...synthesisVariables(process.env), command };
    const assembly = await openAssembly({ folder, root, sources, env, builder });
    await assembly.look();
    if (!assembly.isCurrent()) await assembly.build();
    return folder;
  });
}

async function advance(url: string, duration: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ advance: duration });
  const answer = await fetch(`${url}/_local/clock`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`The clock was not moved by ${duration}: ${await answer.text()}`);
}
