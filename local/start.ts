/**
 * `npm start`: Vigil on this machine, until Ctrl-C. `-- --reset` empties the state first, `-- --no-watch` leaves
 * changes to the next start.
 *
 * Modules other than the version check are imported late, so that an old Node gets one line instead of a syntax error,
 * and only what is needed is loaded.
 */
import { join } from 'node:path';
import type { Assembly } from './build/assembly';
import type { Builder } from './build/builder';
import { assertNodeVersion } from './npm-start/node-version';
import type { StartSettings } from './npm-start/start-settings';

async function start(): Promise<void> {
  assertNodeVersion(process.versions.node);
  // Lambda's time zone.
  process.env.TZ = 'UTC';
  // Everything written is for this user only: messages, keys, logs.
  process.umask(0o077);
  // The AWS SDK, which the synthesis loads, would warn about the end of Node 20.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const { readSettings } = await import('./npm-start/start-settings');
  const settings = readSettings(process.argv.slice(2), process.env);
  const { assertFreePort } = await import('./app/http-server');
  const { assertFree, prepareStateDirectory, resetStateDirectory } = await import('./npm-start/state-directory');
  // Checked before the build, which takes longer.
  if (!process.env.DYNAMODB_ENDPOINT) (await import('./dynamodb/binary')).findBinary();

  if (settings.reset) await resetStateDirectory(settings.stateDirectory);
  await assertFree(settings.stateDirectory);
  await assertFreePort(settings.port, 'PORT');
  await assertFreePort(settings.awsPort, 'AWS_PORT');
  // Before the build, which writes there.
  await prepareStateDirectory(settings.stateDirectory);

  const { openStandIns } = await import('./npm-start/stand-ins');
  const { openBuilder } = await import('./build/builder');
  const { builtPage } = await import('./npm-start/page');
  const builder = openBuilder();
  const [{ startLocalCloud }, standIns, assembly] = await Promise.all([
    import('./cloud'),
    openStandIns(process.env),
    builtAssembly(settings, builder),
    builtPage(settings.root, say),
  ]);
  const cloud = await startLocalCloud({
    assembly: settings.assembly,
    stateDirectory: settings.stateDirectory,
    port: settings.port,
    awsPort: settings.awsPort,
    variables: { ...settings.variables, ...standIns.variables },
    environment: process.env,
    web: settings.web,
    groups: settings.groups,
    notes: { model: settings.model, search: settings.search },
    log: (line) => console.error(line),
  });
  const { stopOnSignals } = await import('./npm-start/signals');
  let live: { stop(): Promise<void> } | undefined;
  const stop = async () => {
    await live?.stop();
    await Promise.all([cloud.stop(), standIns.stop()]);
  };
  stopOnSignals(stop, (line) => console.log(`\n${line} The state stays in ${settings.stateDirectory}.`));
  const { welcome } = await import('./npm-start/welcome');
  // Since the start of the process, including Node's own start.
  const seconds = performance.now() / 1_000;
  say(welcome({ cloud, ...settings, seconds }));
  void reportModels(settings.assembly);
  if (!settings.watch) return builder.stop();
  const { keepLive } = await import('./build/live');
  live = keepLive({ assembly, builder, deploy: () => cloud.deploy(assembly.folder), say });
}

const say = (line: string): void => console.log(line);

/** Reports models that end or are not listed, if there is a key. The stand-in has none. */
async function reportModels(assembly: string): Promise<void> {
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl } = process.env;
  if (!key) return;
  const { endings, modelsIn, unlisted } = await import('./npm-start/model-notices');
  const models = modelsIn(join(assembly, 'Vigil.template.json'));
  for (const line of [...endings(models, new Date()), ...(await unlisted(models, { key, baseUrl }))]) say(`  ${line}`);
}

async function builtAssembly({ assembly: folder, root }: StartSettings, builder: Builder): Promise<Assembly> {
  const { openAssembly } = await import('./build/assembly');
  const { synthesisInputs } = await import('./npm-start/start-settings');
  // Other settings of tools are left open in the template, and the local cloud fills them in.
  const assembly = await openAssembly({ folder, root, builder, ...synthesisInputs(process.env) });
  await assembly.look();
  if (assembly.isCurrent()) return assembly;
  say('Synthesizing the stack…');
  await assembly.build();
  return assembly;
}

start().catch((error: Error) => {
  // One line is enough, except for an error that lists commands to paste.
  const message = error.name === 'NoDynamodbEngine' ? error.message : error.message.split('\n')[0];
  console.error(`Vigil does not start: ${message}`);
  process.exit(1);
});
