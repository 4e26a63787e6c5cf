import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { VigilModule } from '../../../infra/module';
import { quickly } from '../../../infra/synth';
import { Vigil } from '../../../infra/vigil';
import type { VigilProps } from '../../../infra/vigil-props';
import type { Template } from '../template-rights';
import { emptyBundles } from './empty-bundles';

/** Returns the template of a stack of the shipped agents with these modules, whose bundles are empty. The rules of AwsSolutions hold in it. */
export function templateWith(modules: readonly VigilModule[], props: Partial<VigilProps> = {}): Template {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-template-'));
  try {
    const outdir = join(folder, 'assembly');
    const app = new App({ outdir, ...quickly });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    const stack = new Stack(app, 'Shop');
    new Vigil(stack, 'Agents', { agents: emptyBundles(join(folder, 'bundles')), modules, ...props });
    const { template } = app.synth().getStackByName('Shop');
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    expect(pluginReports.flatMap(({ violations }: { violations: unknown[] }) => violations)).toEqual([]);
    return template as Template;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
