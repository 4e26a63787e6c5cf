import * as z from 'zod';

const ClockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'use hours and minutes such as 22:00');

/** A time of each day, by the user's clock. It may pass midnight. */
export const QuietHours = z
  .object({ from: ClockTime, to: ClockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'must differ from `from`' });
export type QuietHours = z.infer<typeof QuietHours>;

/** The notices that a user wants, and when. */
export const NoticeSettings = z.object({
  reminders: z.boolean(),
  approvals: z.boolean(),
  questions: z.boolean(),
  failures: z.boolean(),
  answers: z.boolean(),
  /** Calls on the authority of a standing approval. Clients and rows from before there were any do not say. */
  allowed: z.boolean().default(true),
  /** That somebody mentions the user. */
  mentions: z.boolean().default(true),
  /** Whether notifications have words of the conversation. */
  words: z.boolean(),
  /** Whether they are sent by e-mail, too. */
  mail: z.boolean(),
  /** In the user's time zone. What happens then is delivered when they end. */
  quietHours: QuietHours.optional(),
});
export type NoticeSettings = z.infer<typeof NoticeSettings>;

export const defaultSettings: NoticeSettings = {
  reminders: true,
  approvals: true,
  questions: true,
  failures: true,
  answers: true,
  allowed: true,
  mentions: true,
  words: false,
  mail: false,
};
