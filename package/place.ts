import { resolve } from 'node:path';

/** The folder of the package, or this repository. Compiled code is in its folder `dist`. */
export const place = resolve(__dirname, __filename.endsWith('.js') ? '../..' : '..');
