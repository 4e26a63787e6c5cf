/** Prints a line before the TypeScript loader is ready, which takes most of a second on a slow machine. */
import { isMainThread } from 'node:worker_threads';

// Threads run this file, too.
if (isMainThread) console.log('Starting Vigil…');
