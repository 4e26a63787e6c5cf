import type { Stack } from 'aws-cdk-lib';

/** Adds to what the template's metadata says of the app, which the local cloud reads (`local/template/template.ts`). */
export function describe({ templateOptions }: Stack, about: Record<string, unknown>): void {
  templateOptions.metadata = { ...templateOptions.metadata, ...about };
}
