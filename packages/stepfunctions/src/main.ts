#!/usr/bin/env node
import { version } from '../package.json';
import { help, readCommandLine } from './command-line';
import { isLoopback, serveHttp } from './http';
import { httpServices } from './http-services';
import { readSettings, type Settings } from './settings';
import { startStepFunctions } from './start';

/** The engine alone, as a drop-in for Step Functions Local: `npx vigil-stepfunctions`, or here `npm start -w vigil-stepfunctions`. */
async function main(): Promise<void> {
  const { asks, directory, host, variables, named } = readCommandLine(process.argv.slice(2));
  if (asks !== 'to serve') return console.log(asks === 'for help' ? help() : version);
  const settings = readSettings({ ...process.env, ...variables }, named);
  await serve({ ...settings, directory: directory ?? settings.directory }, host);
}

async function serve(settings: Settings, host: string): Promise<void> {
  // The journal is for this user only.
  process.umask(0o077);
  const { directory, endpoints, port } = settings;
  const services = httpServices(settings);
  const engine = await startStepFunctions({ ...settings, services });
  const { url, close } = await serveHttp(engine, port, host).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new Error(`Port ${port} is taken; --port or PORT moves it.`);
    throw new Error(`--host ${host} is no address of this machine to listen on: ${error.message}`);
  });
  const end = () => {
    void close()
      .then(() => engine.stop())
      .then(() => process.exit(0));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  const parts = [
    `Step Functions on ${url}`,
    `state in ${directory ?? 'memory'}`,
    `functions at ${endpoints.lambda ?? 'nowhere (LAMBDA_ENDPOINT)'}`,
    ...(isLoopback(host) ? [] : ['open to other machines, without a password']),
  ];
  console.log(parts.join(' · '));
}

main().catch((error: Error) => {
  console.error(error.message.split('\n')[0]);
  process.exit(1);
});
