import { clip } from '../../core/base/text/clip';
import { ConfigurationError } from '../../core/base/text/errors';
import { inSession, refusal, unreachable } from './connection';
import type { Key } from './key';
import { listTools } from './list-tools';
import { differences, type Pin } from './pin';
import { fits, type McpServer, mcp, settingsOf } from './server';

const longEnoughMs = 30_000;

/**
 * Reads the allowed tools of a server, for a person to review.
 *
 * @throws ConfigurationError, ToolFailed in one line.
 */
export async function pull(server: McpServer, key?: Key): Promise<Pin> {
  const listed = await inSession(server, { key, deadline: AbortSignal.timeout(longEnoughMs) }, (session, signal) =>
    listTools(session, signal).catch((error) => {
      throw refusal(server, key, error) ?? unreachable(server, error, signal);
    }),
  );
  const tools = [...listed.values()].filter(({ name }) => settingsOf(server.allow, name));
  const idle = Object.keys(server.allow).find((pattern) => !tools.some(({ name }) => fits(pattern, name)));
  const known = () => clip([...listed.keys()].sort().join(', '), { characters: 1_000 });
  if (idle !== undefined)
    throw new ConfigurationError(`MCP server ${server.name}: allow: no tool fits ${idle}. It has: ${known()}`);
  // What would stop the build is refused now.
  const { name, url, auth, allow, source } = server;
  mcp(name, { url, auth, allow, source, pin: { tools } }).tools();
  return { tools };
}

/** Returns what a pull changes, as lines for a person. */
export function changesOf(before: Pin, after: Pin): string[] {
  const [old, now] = [before, after].map(({ tools }) => new Map(tools.map((tool) => [tool.name, tool])));
  return [...new Set([...old!.keys(), ...now!.keys()])].sort().flatMap((name) => {
    const [was, is] = [old!.get(name), now!.get(name)];
    if (!was) return [`${name}: new`];
    if (!is) return [`${name}: gone, or no longer allowed`];
    return differences(was, is).map((line) => `${name}: ${line}`);
  });
}
