import { serveHttp } from './http';
import { httpServices } from './http-services';
import { startStepFunctions } from './index';
import { movedClock } from './moved-clock';
import { readSettings } from './settings';

/** `npm run stepfunctions`: the engine alone, as a drop-in for Step Functions Local. */
async function main(): Promise<void> {
  // The journal is for this user only.
  process.umask(0o077);
  const settings = readSettings(process.env);
  const engine = await startStepFunctions({
    directory: settings.directory,
    clock: movedClock(),
    waitTimeScale: settings.waitTimeScale,
    accountId: settings.accountId,
    region: settings.region,
    services: httpServices(settings),
    mockConfiguration: settings.mockConfiguration,
  });
  const { url, close } = await serveHttp(engine, settings.port);
  console.log(
    `Step Functions on ${url} · state in ${settings.directory ?? 'memory'} · functions at ${settings.endpoints.lambda ?? 'nowhere (LAMBDA_ENDPOINT)'}`,
  );
  const end = () => {
    void close()
      .then(() => engine.stop())
      .then(() => process.exit(0));
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

main().catch((error: NodeJS.ErrnoException) => {
  console.error(
    error.code === 'EADDRINUSE' ? `Port ${process.env.PORT ?? 8083} is taken; PORT moves it.` : error.message,
  );
  process.exit(1);
});
