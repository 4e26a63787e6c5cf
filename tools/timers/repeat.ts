import * as z from 'zod';
import { type InvalidInput, TellModel } from '../../core/base/text/errors';
import { ruleWords } from '../../core/base/time/rule';
import { checkRule, nextSlot } from '../../core/base/time/schedule';
import { inZone } from '../../core/base/time/time-zone';
import { tableEffect } from '../../core/conversations/agent/table-effect';
import { defineTool } from '../../core/conversations/agent/tool';
import { serveTool } from '../../runtime/serve-tool';
import { cancelOwnTimer } from './timers';

export const repeat = defineTool({
  name: 'repeat',
  title: 'Set a recurring reminder',
  description:
    'Schedules a recurring task in this conversation, by a cron expression or at an interval, and returns at once. Each time, you are ' +
    'woken with the task and do it. Missed times collapse into one. It continues until `cancel_timer` cancels it.',
  input: z.object({
    task: z.string().min(1).max(2_000).describe('What to do each time, in words that make sense later'),
    cron: z
      .string()
      .max(100)
      .nullable()
      .describe('Five fields, for example "0 8 * * 1" for Mondays at 8:00; or null with every_seconds'),
    time_zone: z
      .string()
      .max(60)
      .nullable()
      .describe('The time zone of the cron expression, as an IANA name; null for the user’s'),
    every_seconds: z.number().int().nullable().describe('An interval of at least 60 seconds; or null with cron'),
  }),
  output: z.object({ scheduled: z.string(), rule: z.string(), next: z.string(), timer_id: z.string() }),
  effect: 'table',
  // The timer keeps the sources, and so does the run that it starts.
  afterUntrusted: () => 'allow',
  askedBy: 'member',
  needs: { partitions: ['N#'] },
  async execute({ task, cron, time_zone, every_seconds }, { now, callId, timeZone }) {
    const rule = {
      ...(cron !== null && { cron, timeZone: time_zone ?? timeZone }),
      ...(every_seconds !== null && { everySeconds: every_seconds }),
    };
    try {
      checkRule(rule, now);
    } catch (error) {
      const { name, path, message } = error as InvalidInput;
      throw name === 'InvalidInput' ? new TellModel(`${path}: ${message}`) : error;
    }
    const at = nextSlot(rule, now, now)!;
    return tableEffect({
      output: { scheduled: task, rule: ruleWords(rule), next: inZone(at, timeZone), timer_id: callId },
      timer: { kind: 'repeat', at, rule, text: task },
    });
  },
  compensate: (_input, _output, context) => cancelOwnTimer(context),
});

export const handler = serveTool(repeat);
