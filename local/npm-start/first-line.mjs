/** Says that something happens before the TypeScript loader is there, which takes most of a second on a slow machine. */
import { isMainThread } from 'node:worker_threads';

// Threads get the same flags.
if (isMainThread) console.log('Starting Vigil…');
