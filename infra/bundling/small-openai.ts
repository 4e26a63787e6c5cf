import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Of the openai SDK: what Vigil calls, and what that needs. */
const called =
  /[\\/]resources[\\/](?:chat[\\/](?:completions[\\/])?|responses[\\/])?(?:chat|completions|responses|embeddings|index)\.mjs$/;

/**
 * Lets the openai SDK be bundled in parts: its client has a field for each of OpenAI's APIs, so that all of them are bundled
 * (290 KB of 395). The classes of those that Vigil does not call become empty ones. So do the helpers that run tools and
 * streams on their own account, which is Vigil's work.
 */
export const smallOpenai: Plugin = {
  name: 'small-openai',
  setup(build) {
    build.onLoad({ filter: /[\\/]openai[\\/]resources[\\/].*\.mjs$/ }, ({ path }) =>
      called.test(path) ? undefined : emptied(path),
    );
    const helpers = /[\\/]openai[\\/]lib[\\/].*(?:Stream|Runner)\.mjs$|[\\/]openai[\\/]lib[\\/]beta[\\/].*\.mjs$/;
    build.onLoad({ filter: helpers }, ({ path }) => emptied(path));
  },
};

/** Nothing for a file of re-exports: what it leads to is emptied. */
async function emptied(path: string) {
  const source = await readFile(path, 'utf8');
  const classes = [...source.matchAll(/^export class (\w+)/gm)].map(([, name]) => `export class ${name} {}`);
  const others = [...source.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)];
  const rest = others.map(([, name]) => `export const ${name} = undefined;`);
  return classes.length + rest.length > 0
    ? { contents: [...classes, ...rest].join('\n'), loader: 'js' as const }
    : undefined;
}
