import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { shippedSources } from './bundling/entries';
import { printFailure } from './one-line';
import { vigilApp } from './vigil-app';

/**
 * Runs for `cdk synth` and `cdk deploy`. It checks the AwsSolutions rules; each exception is declared where it applies,
 * with its reason. The page is hosted unless VIGIL_PAGE says otherwise.
 */
async function main(): Promise<void> {
  const { app, synth } = await vigilApp({}, shippedSources, { VIGIL_PAGE: 'cloudfront', ...process.env });
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  await synth();
}

main().catch((error: unknown) => {
  printFailure(error);
  process.exitCode = 1;
});
