import type { VigilModule } from '../infra/module';
import { feedback } from './feedback/construct';
import { mcpServerFrom } from './mcp-server/variables';
import { noticesFrom } from './notices/variables';
import { schedules } from './schedules/construct';
import { telemetryFrom } from './telemetry/variables';

/** Returns the modules of this repository's app, as its environment variables set them. @throws ConfigurationError that names the variable. */
export const modulesFrom = (env: Readonly<Record<string, string | undefined>>): VigilModule[] => [
  feedback(),
  ...noticesFrom(env),
  schedules(),
  ...mcpServerFrom(env),
  ...telemetryFrom(env),
];
