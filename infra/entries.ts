import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../core/errors';
import { functionTools, type Registry } from '../core/registry';
import { functionId } from '../statemachines/function-id';

/** A Lambda function: its construct's id, and the file that exports its `handler`, from the repository's root. */
export interface Entry {
  id: string;
  file: string;
}

export const root = resolve(__dirname, '..');

const platform: Entry[] = [
  { id: 'CallModel', file: 'lambdas/call-model.ts' },
  { id: 'Ask', file: 'lambdas/ask.ts' },
  { id: 'Api', file: 'lambdas/api.ts' },
  { id: 'Settle', file: 'lambdas/settle.ts' },
  { id: 'Relay', file: 'lambdas/relay.ts' },
];

/**
 * Every function of a deployment: the platform's own, and one for each function tool that an agent may use.
 *
 * @throws ConfigurationError in one line, for a tool without a file and for two functions of one id.
 */
export function entries(agents: Registry): Entry[] {
  const tools = functionTools(agents).map(({ name }) => ({ id: functionId(name), file: toolFile(name), tool: name }));
  for (const { tool, file } of tools) {
    if (!existsSync(join(root, file))) {
      throw new ConfigurationError(
        `tool ${tool}: expected its definition and handler in ${file}, which does not exist`,
      );
    }
  }
  const all: Entry[] = [...platform, ...tools.map(({ id, file }) => ({ id, file }))];
  const twice = all.find(({ id }, index) => all.findIndex((other) => other.id === id) !== index);
  if (twice)
    throw new ConfigurationError(`tool in ${twice.file}: its function would be ${twice.id}, which exists already`);
  return all;
}

const toolFile = (name: string): string => `lambdas/tools/${name.replaceAll('_', '-')}.ts`;
