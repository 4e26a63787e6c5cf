import { relative, sep } from 'node:path';

interface Located {
  errors?: { text: string; location?: { file: string; line: number; column: number } | null }[];
}

/**
 * Returns why a build failed, in one line, with the file and the line if they are known: `agents/a.ts:3:14: Expected
 * ";"`.
 */
export function problemOf(error: unknown, root: string): string {
  const [first] = (error as Located).errors ?? [];
  if (first) {
    const { file, line, column } = first.location ?? {};
    return file ? `${fromRoot(file, root)}:${line}:${column}: ${first.text}` : first.text;
  }
  const { name = 'Error', message = String(error), stack = '' } = error as Error;
  // The form that the TypeScript loader uses.
  const [, file, where, text] = /^(.+?):(\d+:\d+): ERROR: (.+)$/m.exec(message) ?? [];
  if (file) return `${fromRoot(file, root)}:${where}: ${text}`;
  const [line] = message.split('\n');
  // The message already names the agent or the tool, and the field.
  if (name === 'ConfigurationError') return line!;
  const place = placeIn(stack, root);
  return place ? `${place}: ${name}: ${line}` : `${name}: ${line}`;
}

/**
 * Returns the first place of the project in a stack. The file of an agent or a tool takes precedence over the core that
 * rejects it.
 */
function placeIn(stack: string, root: string): string | undefined {
  const places = [...stack.matchAll(/(?:\(|at |^)(?:file:\/\/)?([^\s():]*(?::[\\/])?[^\s():]+):(\d+):(\d+)\)?$/gm)]
    .filter(([, file = '']) => file.startsWith(root + sep) && !file.includes('node_modules'))
    .map(([, file = '', line, column]) => `${fromRoot(file, root)}:${line}:${column}`);
  return places.find((place) => /^(agents|tools)\b/.test(place)) ?? places[0];
}

function fromRoot(file: string, root: string): string {
  return file.startsWith(root + sep) ? relative(root, file) : file;
}
