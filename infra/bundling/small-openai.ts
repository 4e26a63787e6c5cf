import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The files of the openai SDK that Vigil calls, and those that they need. */
const called =
  /[\\/]resources[\\/](?:chat[\\/](?:completions[\\/])?|responses[\\/])?(?:chat|completions|responses|embeddings|index)\.mjs$/;

/**
 * Shrinks the openai SDK. Its client has a field for each of OpenAI's APIs, so all of them would be bundled (290 KB of
 * 395). This plugin empties the classes of the APIs that Vigil does not call, of the workload identities that it does not use
 * instead of a key, and the helpers that run tools and streams, which Vigil does itself.
 */
export const smallOpenai: Plugin = {
  name: 'small-openai',
  setup(build) {
    build.onLoad({ filter: /[\\/]openai[\\/]resources[\\/].*\.mjs$/ }, ({ path }) =>
      called.test(path) ? undefined : emptied(path),
    );
    const helpers = /[\\/]openai[\\/]lib[\\/].*(?:Stream|Runner)\.mjs$|[\\/]openai[\\/]lib[\\/]beta[\\/].*\.mjs$/;
    build.onLoad({ filter: helpers }, ({ path }) => emptied(path));
    build.onLoad({ filter: /[\\/]openai[\\/].*auth[\\/](?:x509-)?workload-identity-auth\.mjs$/ }, withoutClass);
  },
};

/** Leaves a file that only re-exports unchanged, because the files that it names are emptied. */
async function emptied(path: string) {
  const source = await readFile(path, 'utf8');
  const classes = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => `export class ${name} {}`);
  const others = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)];
  const rest = others.map(([, name]) => `export const ${name} = undefined;`);
  return classes.length + rest.length > 0
    ? { contents: [...classes, ...rest].join('\n'), loader: 'js' as const }
    : undefined;
}

/** Keeps the functions before the class, which the client calls with every request. */
async function withoutClass({ path }: { path: string }) {
  const contents = (await readFile(path, 'utf8')).replace(/^(export class \w+) \{[\s\S]*/m, '$1 {}');
  return { contents, loader: 'js' as const };
}
