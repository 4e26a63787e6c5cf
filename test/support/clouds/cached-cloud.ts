/** `local/serve.ts` with its compiled code cached between the clouds of tests. Built by `compile-cloud.ts`. */
import { join } from 'node:path';
import { loadModule } from '../../../local/code-cache';

const { keep } = loadModule(join(__dirname, 'serve.js'), join(__dirname, 'code-cache'));
process.once('exit', keep);
