import { ConfigurationError } from '../../core/base/text/errors';
import { variable } from '../../runtime/environment';
import { addressProblem, type Setting } from './setting';

export const settingOf = (setting: Setting): string =>
  typeof setting === 'string' ? setting : variable(setting.variable);

/**
 * Returns the address that a server's declaration has in a field.
 *
 * @throws ConfigurationError naming the server, and the field or the variable.
 */
export function addressOf(server: string, field: string, setting: Setting): URL {
  const address = settingOf(setting);
  const problem = addressProblem(address);
  if (!problem) return new URL(address);
  const where = typeof setting === 'string' ? field : setting.variable;
  throw new ConfigurationError(`MCP server ${server}: ${where}: ${problem}.`);
}
