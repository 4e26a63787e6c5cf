/**
 * `npm start`: Vigil on this machine, until Ctrl-C. `-- --reset` empties the state first.
 *
 * Everything but the version check is loaded late, so that an old Node gets its one line instead of a syntax error, and
 * what is not needed this time costs nothing.
 */
import { assertNodeVersion } from './npm-start/node-version';
import type { StartSettings } from './npm-start/start-settings';

async function start(): Promise<void> {
  assertNodeVersion(process.versions.node);
  // Lambda's time zone.
  process.env.TZ = 'UTC';
  // The AWS SDK, which the synthesis loads, would talk about the end of Node 20 in the middle of the screen.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const { readSettings } = await import('./npm-start/start-settings');
  const settings = readSettings(process.argv.slice(2), process.env);
  const { assertFreePort } = await import('./app/http-server');
  const { assertFree, resetStateDirectory } = await import('./npm-start/state-directory');

  if (settings.reset) await resetStateDirectory(settings.stateDirectory);
  await assertFree(settings.stateDirectory);
  await assertFreePort(settings.port, 'PORT');
  await assertFreePort(settings.awsPort, 'AWS_PORT');

  const { openStandIns } = await import('./npm-start/stand-ins');
  const [{ startLocalCloud }, standIns] = await Promise.all([
    import('./cloud'),
    openStandIns(process.env),
    assembly(settings),
    page(settings),
  ]);
  const cloud = await startLocalCloud({
    assembly: settings.assembly,
    stateDirectory: settings.stateDirectory,
    port: settings.port,
    awsPort: settings.awsPort,
    variables: { ...settings.variables, ...standIns.variables },
    environment: process.env,
    web: settings.web,
    notes: { model: settings.model, search: settings.search },
    log: (line) => console.error(line),
  });
  const { stopOnSignals } = await import('./npm-start/signals');
  const stop = async () => {
    await Promise.all([cloud.stop(), standIns.stop()]);
  };
  stopOnSignals(stop, (line) => console.log(`\n${line} The state stays in ${settings.stateDirectory}.`));
  const { welcome } = await import('./npm-start/welcome');
  // Since the process began, Node's own start included.
  const seconds = performance.now() / 1_000;
  console.log(welcome({ cloud, ...settings, seconds }));
}

async function assembly({ assembly: folder, root }: StartSettings): Promise<void> {
  const { cachedAssembly } = await import('./template/assembly-cache');
  const { synthesisInputs } = await import('./npm-start/start-settings');
  const inputs = synthesisInputs(process.env);
  // What else a tool needs of the environment, the template leaves open, and the local cloud fills in.
  const synthesize = async (outdir: string) =>
    (await import('../infra/synth')).synthesize(outdir, undefined, inputs.env);
  await cachedAssembly({ folder, root, synthesize, ...inputs });
}

async function page({ root }: StartSettings): Promise<void> {
  const began = performance.now();
  const { builtPage } = await import('./npm-start/page');
  if (await builtPage(root)) console.log(`Built the page in ${((performance.now() - began) / 1_000).toFixed(1)} s.`);
}

start().catch((error: Error) => {
  console.error(`Vigil does not start: ${error.message.split('\n')[0]}`);
  process.exit(1);
});
