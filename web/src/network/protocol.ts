/** The live view's protocol, as types. The file that has it also has its schemas, which the page does without. */
export type { ClientMessage, ServerMessage } from '../../../core/live/live';

/** `core/live/live.ts` says the same; a test compares them. */
export const pingSeconds = 240;
