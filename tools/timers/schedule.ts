import * as z from 'zod';
import { momentOf, Time } from '../../core/base/time/local-time';
import { defineTool } from '../../core/conversations/agent/tool';

export const schedule = defineTool({
  kind: 'wait',
  name: 'schedule',
  title: 'Wait',
  description:
    'Sleeps until a point in time, minutes or years away, and then tells you that it has come, so you can continue. It notifies no ' +
    'one: to remind the user, call `reminder` afterwards. If the time has passed, it returns at once.',
  input: z.object({
    at: Time.describe(
      'When to wake up, ISO 8601: the user’s local time, for example 2026-03-01T08:00; with Z or an offset; or in another time zone, as in 2026-03-01T08:00[Asia/Tokyo]',
    ),
  }),
  until: ({ at }, _now, timeZone) => momentOf(at, timeZone),
});
