/** The live view's protocol as types. Its file also has the schemas, which clients do not need. */
export type { ClientMessage, ServerMessage, Ticket } from '../../core/live/live';

/** The same as in `core/live/live.ts`. A test compares them. */
export const pingSeconds = 240;
export const protocolVersion = 1;
