import { ConfigurationError } from '../../core/base/text/errors';
import { urlIn } from '../../core/base/text/web-address';
import type { VigilModule } from '../../infra/module';
import { mcpServer } from './construct';

/** As VIGIL_MCP sets it: `on`, `off`, or the addresses that clients return to. @throws ConfigurationError */
export function mcpServerFrom({ VIGIL_MCP: value = '' }: Readonly<Record<string, string | undefined>>): VigilModule[] {
  if (value === '' || value === 'off') return [];
  if (value === 'on') return [mcpServer()];
  const callbackUrls = value.split(',').map((url) => url.trim());
  if (callbackUrls.every((url) => urlIn(url))) return [mcpServer({ callbackUrls })];
  throw new ConfigurationError(`VIGIL_MCP is "${value}": it must be "on", "off" or the addresses of clients.`);
}
