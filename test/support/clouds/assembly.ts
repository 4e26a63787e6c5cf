import { join } from 'node:path';

/** Whether the stories run in bursts of Express executions: `VIGIL_LOOP=express`. Their states are others, and nothing else. */
export const isExpress = process.env.VIGIL_LOOP === 'express';

/** What a history shows in the Standard loop alone. Bursts have other states, which `test/bursts.test.ts` and the reminder story show. */
export const ofStandard = <Expected>(expected: Expected): Expected =>
  isExpress ? (expect.anything() as Expected) : expected;

/** The folder of the scenarios' synthesized stack. */
export const assembly = join(__dirname, '../../../.vigil/test', isExpress ? 'express' : 'assembly');
