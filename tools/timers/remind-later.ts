import * as z from 'zod';
import { TellModel } from '../../core/base/text/errors';
import { momentOf, Time } from '../../core/base/time/local-time';
import { longestDelaySeconds } from '../../core/base/time/rule';
import { inZone } from '../../core/base/time/time-zone';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { cancelOwnTimer } from './timers';

export const remindLater = defineTool({
  name: 'remind_later',
  title: 'Set a reminder',
  description:
    'Schedules a reminder in this conversation, after a delay or for a point in time, and returns at once, so you and the user can continue. When it is due, ' +
    'you are woken with its text and tell the user. It does not wait.',
  input: z.object({
    message: z.string().min(1).max(2_000).describe('What the reminder is about, in words that make sense later'),
    delay_seconds: z
      .number()
      .int()
      .positive()
      .max(longestDelaySeconds)
      .nullable()
      .describe('The delay in seconds from now, more than 0; or null with at'),
    at: Time.nullable().describe(
      'The time, ISO 8601: the user’s local time, for example 2026-03-01T08:00, or with Z or an offset; or null with delay_seconds',
    ),
  }),
  output: z.object({ scheduled: z.string(), at: z.string(), timer_id: z.string() }),
  effect: 'table',
  // The timer keeps the sources, and so does the run that it starts.
  afterUntrusted: () => 'allow',
  askedBy: 'member',
  needs: { partitions: ['N#'] },
  check: ({ delay_seconds, at }) =>
    (delay_seconds === null) === (at === null) ? 'give either delay_seconds or at, and null for the other' : undefined,
  async execute({ message, delay_seconds, at: time }, { now, callId, timeZone }) {
    const at = time === null ? new Date(now.getTime() + delay_seconds! * 1_000) : momentOf(time, timeZone);
    const seconds = (at.getTime() - now.getTime()) / 1_000;
    if (seconds <= 0) throw new TellModel(`at: ${time} has passed; it is ${inZone(now, timeZone)}`);
    if (seconds > longestDelaySeconds) throw new TellModel(`at: ${time} is more than ten years away`);
    return tableEffect({
      output: { scheduled: message, at: inZone(at, timeZone), timer_id: callId },
      timer: { kind: 'once', at, text: message },
    });
  },
  compensate: (_input, _output, context) => cancelOwnTimer(context),
});

export const handler = serveTool(remindLater);
