import type { ModuleCommand } from '../core/module';
import { command as mcp } from './mcp/command';

/** The commands that modules add to `vigil`. */
export const commands: readonly ModuleCommand[] = [mcp];
