import { join } from 'node:path';

/** Where the scenarios find the synthesized stack. */
export const assembly = join(__dirname, '../../.vigil/test/assembly');
