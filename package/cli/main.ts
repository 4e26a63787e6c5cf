#!/usr/bin/env node
/** `npx vigil`: what an app that uses the package runs on its machine. */
import { runCommand } from './command';

runCommand(process.argv.slice(2)).catch((error: Error & { exitCode?: number }) => {
  console.error(error.message.split('\n')[0]);
  process.exitCode = error.exitCode ?? 1;
});
