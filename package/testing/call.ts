import type { Reply } from '../../test/support/servers/model-server';

/** Returns a reply of the scripted model with one tool call. */
export const call = (tool: string, args: object = {}): Reply => ({ toolCalls: [{ name: tool, arguments: args }] });
