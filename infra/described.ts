import { relative, resolve, sep } from 'node:path';
import { Stack, type Stage } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Adds to what the template's metadata says of the app, which the local cloud reads (`local/template/template.ts`). */
export function describe({ templateOptions }: Stack, about: Record<string, unknown>): void {
  templateOptions.metadata = { ...templateOptions.metadata, ...about };
}

/** Says where in the assembly the definitions of the agents are, for `vigil check`. */
export function describeDefinitions(vigil: Construct, file: string): void {
  const path = relative(resolve((vigil.node.root as Stage).outdir), resolve(file))
    .split(sep)
    .join('/');
  if (!path.startsWith('..')) describe(Stack.of(vigil), { Definitions: path });
}
