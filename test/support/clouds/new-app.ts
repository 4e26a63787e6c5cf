import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { templateOnly } from '../../../infra/synth';

const made: string[] = [];
afterAll(() => {
  for (const outdir of made) rmSync(outdir, { recursive: true });
});

/** Creates an app whose assembly is removed after the tests of the file; CDK's own default stays. Only tests may use it. */
export function newApp(): App {
  const outdir = mkdtempSync(join(tmpdir(), 'vigil-app-'));
  made.push(outdir);
  return new App({ outdir, ...templateOnly });
}
