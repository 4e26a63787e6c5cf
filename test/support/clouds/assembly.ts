import { join } from 'node:path';

/** The folder of the scenarios' synthesized stack. */
export const assembly = join(__dirname, '../../../.vigil/test/assembly');
