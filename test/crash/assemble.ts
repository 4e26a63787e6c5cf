import { compileCloud } from '../support/clouds/compile-cloud';
import { scenarioSources, synthesized } from '../support/clouds/synthesized';

/** Hears every reminder as well: an outside effect with an idempotency key, the call's id. */
export const topic = 'arn:aws:sns:us-east-1:000000000000:reminders.fifo';

/** Synthesizes what the stories run on: the shipped agents and those under test. */
export async function assemble(folder: string): Promise<void> {
  process.env.REMINDER_TOPIC_ARN = topic;
  await compileCloud();
  await synthesized(folder, scenarioSources);
}
