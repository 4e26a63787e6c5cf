import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Pin, pinText } from '../../core/mcp/pin';
import type { McpServer } from '../../core/mcp/server';
import { ConfigurationError } from '../../core/text/errors';
import type { Key } from './connection';
import { changesOf, pull } from './pull';

/*
 * `npm run mcp -- pull tools/github.ts` reads the tools of the servers that these files declare into `tools/github.mcp.json`, for
 * review. `check` only compares, and exits with 1 if something has changed.
 */

const usage = 'Use: npm run mcp -- pull|check <file of a server> ...';

async function main([command, ...files]: string[]): Promise<void> {
  if ((command !== 'pull' && command !== 'check') || files.length === 0) throw new ConfigurationError(usage);
  for (const file of files) {
    const pinFile = file.replace(/\.ts$/, '.mcp.json');
    // The server's file imports it.
    if (!existsSync(pinFile)) writeFileSync(pinFile, pinText({ tools: [] }));
    const server = await serverIn(file);
    const before: Pin = JSON.parse(readFileSync(pinFile, 'utf8'));
    const after = await pull(server, keyOf(server));
    const changes = changesOf(before, after);
    for (const line of changes) console.log(line);
    console.log(`${server.name}: ${after.tools.length} tools, ${changes.length} changes`);
    if (changes.length === 0) continue;
    if (command === 'pull') writeFileSync(pinFile, pinText(after));
    else process.exitCode = 1;
  }
}

async function serverIn(file: string): Promise<McpServer> {
  const exported = Object.values((await import(pathToFileURL(resolve(file)).href)) as object);
  const server = exported.find((one) => (one as Partial<McpServer> | undefined)?.pinned instanceof Map);
  if (server) return server as McpServer;
  throw new ConfigurationError(`${file}: exports no MCP server: \`export const github = mcp('github', { … })\`.`);
}

function keyOf({ name, auth }: McpServer): Key | undefined {
  if (!auth) return undefined;
  const key = process.env[auth.secret];
  if (!key) throw new ConfigurationError(`MCP server ${name}: set the variable ${auth.secret} to its key.`);
  return { get: async () => key, forget: () => undefined };
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
