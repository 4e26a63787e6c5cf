import type { Reply } from '../../test/support/servers/model-server';

/**
 * Returns a reply of the scripted model with one tool call.
 *
 * @example
 * ```ts
 * import { call, type Reply } from 'vigil/testing';
 *
 * const script: Reply[] = [call('opening_hours', { day: 'monday' }), { text: 'We are closed on Mondays.' }];
 * script[0]; // → { toolCalls: [{ name: 'opening_hours', arguments: { day: 'monday' } }] }
 * // vigil.model.script(script);
 * ```
 */
export const call = (tool: string, args: object = {}): Reply => ({ toolCalls: [{ name: tool, arguments: args }] });
