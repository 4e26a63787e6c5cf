import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Shrinks the clients of the AWS SDK. Each bundles its whole `package.json` (2 KB), of which it reads the version. */
export const smallAws: Plugin = {
  name: 'small-aws',
  setup(build) {
    build.onLoad({ filter: /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};
