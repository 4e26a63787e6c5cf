import { existsSync, readFileSync } from 'node:fs';
import { ConfigurationError } from '../../core/base/text/errors';
import { modulesFrom } from '../../modules/app';
import { pageFrom, settingsFrom } from '../settings';
import { preflight, usualQualifier } from './checks';
import { clientsOf } from './clients';

// `npx tsx infra/preflight/main.ts <stack>`: what the account lacks for a deployment. Reads the environment as `npx cdk deploy` does.

const labels = { ok: 'ok     ', fails: 'FAILS  ', limits: 'limits ', unknown: 'unknown' };

async function main(): Promise<void> {
  const { env } = process;
  settingsFrom(env);
  const modules = modulesFrom(env);
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
  if (!region) throw new ConfigurationError('AWS_REGION is not set: name the region of the deployment.');
  const [stackName = 'Vigil'] = process.argv.slice(2).filter((one) => /^[A-Za-z][A-Za-z0-9-]*$/.test(one));
  const page = pageFrom(env.VIGIL_PAGE ?? 'cloudfront').hosted;
  const config = { region, maxAttempts: 2 };
  const findings = await preflight(clientsOf(config), {
    stackName,
    region,
    qualifier: qualifierIn('cdk.json') ?? usualQualifier,
    page,
    ofModules: modules.flatMap((module) => module.preflight?.(config) ?? []),
  });
  for (const { verdict, words } of findings) console.log(`${labels[verdict]} ${words}`);
  if (findings.some(({ verdict }) => verdict === 'fails')) process.exitCode = 1;
}

/** Returns the qualifier that the app's context names, as the CDK reads it. */
function qualifierIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const { context = {} } = JSON.parse(readFileSync(file, 'utf8')) as { context?: Record<string, unknown> };
  const qualifier = context['@aws-cdk/core:bootstrapQualifier'];
  return typeof qualifier === 'string' ? qualifier : undefined;
}

main().catch((error: Error) => {
  console.error(`${error.name}: ${error.message}`);
  process.exitCode = 1;
});
