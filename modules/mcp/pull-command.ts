import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigurationError } from '../../core/base/text/errors';
import { exportsOf } from '../../infra/bundling/load-file';
import { type Key, keyFor } from './key';
import { type Pin, pinText } from './pin';
import { changesOf, pull } from './pull';
import type { McpServer } from './server';

/**
 * `pull` reads the tools of the servers that these files declare into `<file>.mcp.json`, for review. `check` only compares.
 *
 * @returns whether nothing has changed, for `check`.
 * @throws Error in one line.
 */
export async function mcp([command, ...files]: string[], say: (text: string) => void): Promise<boolean> {
  if ((command !== 'pull' && command !== 'check') || files.length === 0)
    throw new Error('Name what to do and the files of servers, for example `npx vigil mcp pull tools/github.ts`.');
  let isSame = true;
  for (const file of files) {
    if (!existsSync(file)) throw new ConfigurationError(`${file} does not exist.`);
    const pinFile = file.replace(/\.ts$/, '.mcp.json');
    // The server's file imports it.
    if (!existsSync(pinFile)) writeFileSync(pinFile, pinText({ tools: [] }));
    const server = await serverIn(file);
    const before: Pin = JSON.parse(readFileSync(pinFile, 'utf8'));
    const after = await pull(server, keyOf(server));
    const changes = changesOf(before, after);
    for (const line of changes) say(line);
    say(`${server.name}: ${after.tools.length} tools, ${changes.length} changes`);
    if (changes.length === 0) continue;
    if (command === 'pull') writeFileSync(pinFile, pinText(after));
    else isSame = false;
  }
  return isSame;
}

async function serverIn(file: string): Promise<McpServer> {
  const found = Object.values(await exportsOf(resolve(file)));
  const server = found.find((one) => (one as Partial<McpServer>)?.pinned instanceof Map);
  if (server) return server as McpServer;
  throw new ConfigurationError(`${file} exports no MCP server: \`export const github = mcp('github', { … })\`.`);
}

const keyOf = (server: McpServer): Key | undefined =>
  keyFor(server, (name) => {
    const key = process.env[name];
    if (!key) throw new ConfigurationError(`MCP server ${server.name}: set the variable ${name} to its key.`);
    return { get: async () => key, forget: () => undefined };
  });
