import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from '../support/template-rights';

const root = join(__dirname, '../..');

/** The variables by which the CDK's command line reaches the second cloud, and nothing else. */
const inCloud = (endpoint: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  CDK_DISABLE_CLI_TELEMETRY: 'true',
  CDK_DISABLE_VERSION_CHECK: 'true',
});

/**
 * Runs the CDK's command line, as a person does.
 *
 * @param from the folder of the app.
 * @returns what it has printed.
 * @throws the same, if it fails.
 */
export async function cdk(
  endpoint: string,
  args: string[],
  variables: Record<string, string> = {},
  from = root,
): Promise<string> {
  const process_ = spawn(join(root, 'node_modules/.bin/cdk'), [...args, '--ci', '--no-notices', '--no-color'], {
    cwd: from,
    env: { ...process.env, ...variables, ...inCloud(endpoint) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [process_.stdout, process_.stderr])
    stream.on('data', (data: Buffer) => {
      printed += data;
    });
  const code = await new Promise((resolve, reject) => process_.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`cdk ${args.join(' ')} ended with ${code}:\n${printed.slice(-6_000)}`);
  return printed;
}

/** Copies a cloud assembly with another template. The template gets another key in the bucket, so that it is uploaded. */
export function changedAssembly(from: string, to: string, change: (template: Template) => void): void {
  cpSync(from, to, { recursive: true });
  const file = (name: string) => join(to, name);
  const template = JSON.parse(readFileSync(file('Vigil.template.json'), 'utf8')) as Template;
  change(template);
  const text = JSON.stringify(template);
  writeFileSync(file('Vigil.template.json'), text);
  const manifest = readFileSync(file('manifest.json'), 'utf8');
  const [, key = ''] = /"stackTemplateAssetObjectUrl": ".*\/(\w+)\.json"/.exec(manifest)!;
  const newKey = createHash('sha256').update(text).digest('hex');
  for (const name of ['manifest.json', 'Vigil.assets.json'])
    writeFileSync(file(name), readFileSync(file(name), 'utf8').replaceAll(key, newKey));
}
