import { settings as mcpServer } from './mcp-server/settings';
import { settings as notices } from './notices/settings';
import { settings as telemetry } from './telemetry/settings';

/** The settings of all modules, for docs/settings.md and for names that are mistaken for others. */
export const settingsOfModules = [...notices, ...mcpServer, ...telemetry];
