import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CloudAssembly } from 'aws-cdk-lib/cx-api';
import type { Registry } from '../../../core/conversations/agent/registry';
import type { NewCode } from '../../../core/conversations/check/finding';
import { functionVariables } from '../../../infra/bundling/function-variables';
import { loadBundles } from '../../../infra/bundling/load-bundles';
import { appProject } from '../../../local/npm-start/app-project';
import { limits } from '../../../runtime/limits';

export interface CodeOptions {
  /** The folder of an assembly, such as `cdk.out`. Without it, the app of the working directory is synthesized. */
  assembly?: string;
  /** Synthesizes the app instead of the command in `cdk.json`. */
  command?: string;
  /** The name of the stack, if the app has several with a Vigil. */
  stack?: string;
}

interface VigilStack {
  name: string;
  /** The name of its template, by which the local cloud knows it. */
  artifact: string;
  template: string;
  /** The file of its agents. */
  definitions: string;
  modules: readonly string[];
}

/**
 * Returns the agents, tools and limits that a deployment of the app would have.
 *
 * @throws Error in one line if the app cannot be synthesized, and if the stack is not clear.
 */
export async function newCode(options: CodeOptions): Promise<NewCode> {
  if (options.assembly !== undefined) return codeIn(resolve(options.assembly), options.stack);
  const folder = await mkdtemp(join(tmpdir(), 'vigil-check-'));
  try {
    const { builder } = appProject(process.cwd(), { command: options.command, web: '' });
    const assembly = join(folder, 'assembly');
    await builder.build({ assembly, bundles: join(folder, 'bundles'), env: process.env });
    return await codeIn(assembly, options.stack);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function codeIn(assembly: string, wanted: string | undefined): Promise<NewCode> {
  const { name, template, definitions, modules } = chosen(stacksIn(assembly), wanted, assembly);
  const variables = functionVariables(template).CallModel ?? {};
  await loadBundles([{ name: `the agents of ${name}`, file: definitions, exports: 'shipped', variables: {} }]);
  const { shipped } = require(definitions) as { shipped: Registry };
  return { ...shipped, limits: limits(variables), modules };
}

/** What the synthesis writes into the metadata of a template. */
interface Described {
  Definitions?: string;
  Modules?: string[];
}

function stacksIn(assembly: string): VigilStack[] {
  if (!existsSync(join(assembly, 'manifest.json')))
    throw new Error(`${assembly} is no assembly: it has no manifest.json. Run \`npx cdk synth\` first.`);
  return new CloudAssembly(assembly).stacksRecursively.flatMap(
    ({ stackName: name, id: artifact, templateFullPath: template }) => {
      const { Metadata } = JSON.parse(readFileSync(template, 'utf8')) as { Metadata?: Described };
      return Metadata?.Definitions
        ? [
            {
              name,
              artifact,
              template,
              definitions: join(assembly, Metadata.Definitions),
              modules: Metadata.Modules ?? [],
            },
          ]
        : [];
    },
  );
}

function chosen(stacks: VigilStack[], wanted: string | undefined, assembly: string): VigilStack {
  const names = stacks.map(({ name }) => name).join(', ');
  if (stacks.length === 0)
    throw new Error(`${assembly} has no stack with a Vigil, or one of an earlier version: synthesize it again.`);
  const found =
    wanted === undefined ? stacks : stacks.filter(({ name, artifact }) => name === wanted || artifact === wanted);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new Error(`The app has no stack ${wanted} with a Vigil: it has ${names}.`);
  throw new Error(`The app has several stacks with a Vigil: choose one with --stack. They are ${names}.`);
}
