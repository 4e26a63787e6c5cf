/** `local/serve.ts` with its compiled code kept from one test's cloud to the next: compiled by `compile-cloud.ts`. */
import { join } from 'node:path';
import { loadModule } from '../../local/code-cache';

const { keep } = loadModule(join(__dirname, 'serve.js'), join(__dirname, 'code-cache'));
process.once('exit', keep);
