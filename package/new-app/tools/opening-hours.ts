import { defineTool, serveIsolated, TellModel } from 'vigil';
import * as z from 'zod';

const hours: Record<string, string> = { saturday: '10:00 to 20:00', sunday: '10:00 to 17:00', monday: 'closed' };

export const openingHours = defineTool({
  name: 'opening_hours',
  description: 'Tells when the museum is open on a day of the week. It knows nothing about holidays.',
  input: z.object({ day: z.string().describe('A day of the week, in English') }),
  output: z.object({ open: z.string() }),
  // Has no effect, so that an attempt may be repeated.
  effect: 'read',
  // Its function has no right to the table, because it needs none.
  isolated: true,
  async execute({ day }) {
    if (!/^(mon|tues|wednes|thurs|fri|satur|sun)day$/i.test(day))
      throw new TellModel(`"${day}" is not a day of the week.`);
    return { open: hours[day.toLowerCase()] ?? '10:00 to 18:00' };
  },
});

export const handler = serveIsolated(openingHours);
