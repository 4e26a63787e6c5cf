import type { FunctionTool } from '../core/tool';

export function serveTool(_tool: FunctionTool) {
  return async (_event: unknown): Promise<void> => {
    throw new Error('being written');
  };
}
