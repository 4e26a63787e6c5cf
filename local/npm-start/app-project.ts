import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAppBuilder } from '../build/app-builder';
import type { Project } from './project';

/**
 * A CDK app that uses the package. Its own command synthesizes what is run, so what runs is what a deployment creates,
 * without the hosted page.
 *
 * @param options `command` replaces that of `cdk.json`, for example for an app with several stacks. `web` is the folder
 *   of the built page.
 * @throws Error in one line if the folder has no `cdk.json` that names a command.
 */
export function appProject(root: string, { command, web }: { command?: string; web: string }): Project {
  const { app, context } = readConfig(join(root, 'cdk.json'));
  const run = command ?? app;
  if (typeof run !== 'string' || !run)
    throw new Error(`${join(root, 'cdk.json')}: app: is missing: name the command that runs the CDK app.`);
  return {
    root,
    sources: ['.'],
    builder: openAppBuilder({ root, app: run, context }),
    web,
    buildPage: async () => undefined,
    command: 'npx vigil start',
  };
}

function readConfig(file: string): { app?: unknown; context?: Record<string, unknown> } {
  if (!existsSync(file))
    throw new Error(
      `${file} does not exist: go to the folder of your CDK app, or make one with \`npx vigil init my-agents\`.`,
    );
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`);
  }
}
