// modules/notices: how people who do not look are notified.

import * as z from 'zod';
import { NoticeKind } from '../../core/people/live/live';

/** A person who decides in the user's place, a standing approval, somebody in a conversation of theirs, or a link to it. */
const Granted = z.enum(['standIn', 'standing', 'member', 'link']);

/**
 * A notice is what a user should hear of once, wherever they are. It derives from one change of one row, and has ids only: what is said
 * about it is read when it is delivered.
 */
export const Notice = z.object({
  /** Derived from the row's key and what happened. A repeated change makes the same id. */
  id: z.string(),
  user: z.string(),
  /** `grant`: a device was added, a device or e-mail was removed, or notifications began to quote conversations, or somebody else may do something for the user. It concerns no conversation. */
  kind: z.enum([...NoticeKind.options, 'grant']),
  conversationId: z.string().optional(),
  /** For a device that was added: the others are told. */
  deviceId: z.string().optional(),
  /** For a device that was added: the ids of those that the user had before, and had removed lately. One that came later is not told of it. */
  devicesBefore: z.array(z.string()).optional(),
  /** What somebody else may do from now on, without a token of the user. */
  granted: Granted.optional(),
  /** Devices or the address for e-mail were removed. They are told, too. */
  isRemoval: z.literal(true).optional(),
  /** An approval, or a conversation to take over, was assigned to the user, whose conversation it need not be. */
  isAssigned: z.literal(true).optional(),
  timerId: z.string().optional(),
  callId: z.string().optional(),
  callbackId: z.string().optional(),
  /** For an answer: the last message from outside that the run has read. */
  readSeq: z.number().int().optional(),
  at: z.iso.datetime(),
});
export type Notice = z.infer<typeof Notice>;

/** The payload of the machine that delivers a notice, and Notify's answer: `wait` until the user's quiet hours are over, or `done`. */
export const NoticeOutput = Notice.extend({ next: z.enum(['wait', 'done']), until: z.iso.datetime().optional() });
export type NoticeOutput = z.infer<typeof NoticeOutput>;

/** A device did not take its notification, for a reason that may pass. The state machine retries; devices that took theirs are left out. */
export class NotDelivered extends Error {
  override readonly name = 'NotDelivered';
  constructor(
    message: string,
    readonly notBefore?: Date,
  ) {
    super(message);
  }
}
