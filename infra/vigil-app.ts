import { join } from 'node:path';
import { App, type AppProps } from 'aws-cdk-lib';
import { shipped } from '../agents';
import { bundle } from './bundle';
import { entries } from './entries';
import { settingsFrom } from './settings';
import { VigilStack } from './vigil-stack';

/** Bundles the functions into the assembly's folder and declares the stack. The caller synthesizes. */
export async function vigilApp(props: AppProps = {}): Promise<{ app: App; stack: VigilStack }> {
  const app = new App({
    ...props,
    context: {
      '@aws-cdk/aws-iam:minimizePolicies': true,
      // The command line sets these two by itself. What runs the template elsewhere finds bundles and names by them.
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
      ...props.context,
    },
  });
  const bundles = join(app.outdir, 'bundles');
  await bundle(entries(shipped), bundles);
  const settings = settingsFrom(process.env);
  settings.reminderTopicArn ||= app.node.tryGetContext('reminderTopicArn') ?? '';
  const stack = new VigilStack(app, 'Vigil', {
    description: 'Vigil: LLM agents that wait',
    agents: shipped,
    bundles,
    settings,
  });
  return { app, stack };
}
