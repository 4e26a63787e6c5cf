import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/**
 * Shrinks the clients of the AWS SDK.
 *
 * - Each bundles its whole `package.json` (2 KB), of which it reads the version.
 * - Each has the schemas of all its operations, up to 50 KB. Some have computed keys, which esbuild keeps because their evaluation might do
 *   something. The keys are constants, so they are written out.
 * - Lambda's has a class for each of its 57 errors, 17 KB. Vigil compares errors by name, and an error without its class is a
 *   LambdaServiceException of the same name.
 */
export const smallAws: Plugin = {
  name: 'small-aws',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    const schemas = /[\\/]@aws-sdk[\\/]client-([^\\/]+)[\\/]dist-es[\\/]schemas[\\/]schemas_0\.js$/;
    build.onLoad({ filter: schemas }, async ({ path }) => {
      const contents = withPlainKeys(await readFile(path, 'utf8'));
      return { contents: schemas.exec(path)![1] === 'lambda' ? withoutErrors(contents) : contents, loader: 'js' };
    });
  },
};

function withPlainKeys(code: string): string {
  const constants = new Map(
    [...code.matchAll(/^const (\w+) = ("[^"\n]*");$/gm)].map(([, name, text]) => [name!, text!]),
  );
  return code.replace(/\[(\w+)\](?=: )/g, (key, name: string) => constants.get(name) ?? key);
}

const withoutErrors = (code: string): string => code.replace(/^n0_registry\.registerError\(.*$/gm, '');
