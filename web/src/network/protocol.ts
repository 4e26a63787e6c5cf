/** The live view's protocol as types. Its file also has the schemas, which the page does not need. */
export type { ClientMessage, ServerMessage } from '../../../core/live/live';

/** The same as in `core/live/live.ts`. A test compares them. */
export const pingSeconds = 240;
