/** `npm start`: this repository's Vigil on this machine (see `npm-start/start.ts`). */
import { startProject } from './npm-start/start';

void startProject(process.argv.slice(2), async () => (await import('./npm-start/repository')).repository());
