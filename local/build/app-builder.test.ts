import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAppBuilder, problemIn } from './app-builder';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vigil-app-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Runs an app that consists of this script. */
function built(script: string): Promise<string[]> {
  writeFileSync(join(root, 'app.js'), script);
  const builder = openAppBuilder({ root, app: 'node app.js', context: { stage: 'test' } });
  return builder.build({ assembly: join(root, 'assembly'), bundles: join(root, 'bundles'), env: {} });
}

test('an app is synthesized as by the CDK’s command line: into a folder, with its context, without the hosted page (R165)', async () => {
  await built(`
    const { CDK_OUTDIR: outdir, CDK_CONTEXT_JSON, CDK_DEFAULT_REGION: region } = process.env;
    const context = JSON.parse(CDK_CONTEXT_JSON);
    require('node:fs').writeFileSync('seen.json', JSON.stringify({ outdir, region, context }));`);
  expect(JSON.parse(readFileSync(join(root, 'seen.json'), 'utf8'))).toEqual({
    outdir: join(root, 'assembly'),
    region: process.env.AWS_REGION ?? 'us-east-1',
    context: {
      stage: 'test',
      'aws:cdk:enable-asset-metadata': true,
      'aws:cdk:enable-path-metadata': true,
      'vigil:bundles': join(root, 'bundles'),
      'vigil:page': 'none',
    },
  });
});

test('an app that fails says why in one line, with the place in its files (R165)', async () => {
  const mistakes = `a.ts:3:1: Type 'x' …\\nb.ts:1:2: Cannot find name 'b'.\\n`;
  await expect(built(`console.error("${mistakes}"); process.exitCode = 1;`)).rejects.toThrow(
    /^a\.ts:3:1: Type 'x' … \(and 1 more\)$/,
  );
  await expect(built('process.exitCode = 3;')).rejects.toThrow(
    '"node app.js" ended with exit code 3, and said nothing.',
  );
  await expect(built('\nnothing.at.all();')).rejects.toThrow('app.js:2:1: ReferenceError: nothing is not defined');
});

test('what a mistake in an agent, a tool or a stack prints becomes its one line (R165)', () => {
  const configuration = `/app/node_modules/vigil/dist/infra/bundling/build.js:12
    throw new ConfigurationError(answer.problem);
    ^

ConfigurationError: tool stock (tools/stock.ts) does not load: it exports no function "handler"
    at ask (/app/node_modules/vigil/dist/infra/bundling/build.js:12:9) {`;
  expect(problemIn(configuration, '/app')).toBe(
    'tool stock (tools/stock.ts) does not load: it exports no function "handler"',
  );
  const validation = `/app/node_modules/aws-cdk-lib/core/lib/private/synthesis.js:2
  \`);throw new(errors_1()).UnscopedValidationError(\`Validation failed with the following errors:
     ^

[«ValidationFailedWithErrors» Validation failed with the following errors:
  [Shop/Agents] tool stock (tools/stock.ts) does not load: it is empty
    ...aws-cdk-lib, node internals...

Node.js v20.20.2
`;
  expect(problemIn(validation, '/app')).toBe('[Shop/Agents] tool stock (tools/stock.ts) does not load: it is empty');
  const syntax = `Error [TransformError]: Transform failed with 1 error:
/app/app.ts:3:5: ERROR: Expected ";" but found "x"
    at failureErrorWithLog (/app/node_modules/esbuild/lib/main.js:1:1)`;
  expect(problemIn(syntax, '/app')).toBe('app.ts:3:5: Expected ";" but found "x"');
  expect(problemIn('npm error\nsh: 1: tsx: not found\n\nNode.js v20.20.2\n', '/app')).toBe('sh: 1: tsx: not found');
});
