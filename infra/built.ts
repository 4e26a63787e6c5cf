import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Stack, type Stage } from 'aws-cdk-lib';
import { type CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Build, type Built, buildNow, loadFunctionsNow } from './bundling/build';
import { sourcesIn } from './bundling/entries';
import { bundlesIn, variablesOf } from './bundling/function-variables';
import { endInOneLine } from './one-line';
import type { VigilProps } from './vigil-props';

/** The builds of this process: several stages of an app have the same agents. */
const builds = new Map<string, Build>();

/**
 * Returns the built agents and functions of a construct. Folders are bundled now, into the folder of the assembly. Before
 * the synthesis ends, each bundle is loaded once with the variables that its function will have.
 *
 * @throws ConfigurationError in one line.
 */
export function builtFor(
  vigil: Construct,
  { agents, tools = [], modules = [] }: Pick<VigilProps, 'agents' | 'tools' | 'modules'>,
): Built {
  if (typeof agents !== 'string') return agents;
  const sources = sourcesIn(
    agents,
    tools,
    modules.map(({ name }) => name),
  );
  const name = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16);
  const outdir = join(resolve((vigil.node.root as Stage).outdir), `vigil.${name}`);
  // Set by `vigil start`, which synthesizes again when a file is saved.
  const kept: string | undefined = vigil.node.tryGetContext('vigil:bundles');
  const built = builds.get(outdir) ?? buildNow({ sources, outdir, keptBundles: kept && join(kept, name) });
  builds.set(outdir, built);
  vigil.node.addValidation({ validate: () => assertLoads(vigil, built) });
  return built;
}

/** Throws instead of returning the problem, which the CDK would print with its stack. */
function assertLoads(vigil: Construct, built: Build): [] {
  const loaded = endInOneLine();
  loadFunctionsNow(built, declaredIn(vigil));
  loaded();
  return [];
}

/** Returns the variables of each function, by the ids of its bundles. */
function declaredIn(vigil: Construct): Record<string, Record<string, string>> {
  const stack = Stack.of(vigil);
  const functions = vigil.node.findAll().filter((one) => one instanceof LambdaFunction);
  return Object.fromEntries(
    functions.flatMap((fn) => {
      const { environment, cfnOptions } = fn.node.defaultChild as CfnFunction;
      const { variables = {} } = (stack.resolve(environment) ?? {}) as { variables?: Record<string, unknown> };
      const id = fn.node.id;
      return bundlesIn(id, cfnOptions.metadata).map((one) => [one, variablesOf(id, variables)] as const);
    }),
  );
}
