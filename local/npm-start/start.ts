/**
 * Starts a project on this machine, until Ctrl-C. `--reset` empties the state first, `--no-watch` leaves changes to the
 * next start.
 *
 * Modules other than the version check are imported late, so that an old Node gets one line instead of a syntax error,
 * and only what is needed is loaded.
 */
import type { Assembly } from '../build/assembly';
import type { AskedModel } from '../template/template';
import { assertNodeVersion } from './node-version';
import type { Project } from './project';
import type { StartSettings } from './start-settings';

/** @returns once it runs. A failure is one line on stderr, and ends the process. */
export async function startProject(args: string[], open: () => Promise<Project>): Promise<void> {
  try {
    await start(args, open);
  } catch (thrown) {
    const error = thrown as Error;
    // One line is enough, except for an error that lists commands to paste.
    const message = error.name === 'NoDynamodbEngine' ? error.message : error.message.split('\n')[0];
    console.error(`Vigil does not start: ${message}`);
    process.exit(1);
  }
}

async function start(args: string[], open: () => Promise<Project>): Promise<void> {
  assertNodeVersion(process.versions.node);
  // Lambda's time zone.
  process.env.TZ = 'UTC';
  // Everything written is for this user only: messages, keys, logs.
  process.umask(0o077);
  // The AWS SDK, which the synthesis loads, would warn about the end of Node 20.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const project = await open();
  const { readSettings } = await import('./start-settings');
  const settings = readSettings(args, process.env, project.root);
  const { assertFreePort } = await import('../app/http-server');
  const { assertFree, prepareStateDirectory, resetStateDirectory } = await import('./state-directory');
  // Checked before the build, which takes longer.
  if (!process.env.DYNAMODB_ENDPOINT) (await import('../dynamodb/binary')).findBinary();

  if (settings.reset) await resetStateDirectory(settings.stateDirectory);
  await assertFree(settings.stateDirectory);
  await assertFreePort(settings.port, 'PORT');
  await assertFreePort(settings.awsPort, 'AWS_PORT');
  // Before the build, which writes there.
  await prepareStateDirectory(settings.stateDirectory);
  const { stopOnSignals } = await import('./signals');
  const running: { stop(): Promise<void> }[] = [];
  stopOnSignals(
    // What uses others is stopped before them.
    async () => {
      for (const one of running.reverse()) await one.stop();
    },
    (line) => console.log(`\n${line} The state stays in ${settings.stateDirectory}.`),
  );

  const { openStandIns } = await import('./stand-ins');
  const { builder } = project;
  const [{ startLocalCloud }, standIns, assembly] = await Promise.all([
    import('../cloud'),
    openStandIns(process.env),
    builtAssembly(settings, project),
    project.buildPage(say),
  ]);
  const { metadataIn, suggestion } = await import('./metadata');
  const stack = metadataIn(settings.assembly);
  const search = stack.Needs.some(({ name }) => name === 'SERPER_API_KEY') ? settings.search : undefined;
  const cloud = await startLocalCloud({
    assembly: settings.assembly,
    stateDirectory: settings.stateDirectory,
    port: settings.port,
    awsPort: settings.awsPort,
    variables: { ...settings.variables, ...standIns.variables },
    environment: process.env,
    web: project.web,
    notes: { model: settings.model, ...(search && { search }) },
    log: (line) => console.error(line),
  });
  running.push({ stop: async () => void (await Promise.all([cloud.stop(), standIns.stop()])) });
  const { welcome } = await import('./welcome');
  const { command, example = suggestion(stack) } = project;
  // Since the start of the process, including Node's own start.
  const seconds = performance.now() / 1_000;
  say(welcome({ ...settings, cloud, search, command, example, seconds }));
  void reportModels(stack.Models);
  if (!settings.watch) return builder.stop();
  const { keepLive } = await import('../build/live');
  running.push(keepLive({ assembly, builder, deploy: () => cloud.deploy(assembly.folder), say }));
}

const say = (line: string): void => console.log(line);

/** Reports models that end, are not listed or have no price, of providers with a key. The stand-in has none. */
async function reportModels(models: readonly AskedModel[]): Promise<void> {
  const asked = models.filter(({ provider }) => process.env[provider?.key ?? 'OPENAI_API_KEY']);
  if (asked.length === 0) return;
  const { endings, unlisted } = await import('./model-notices');
  const known = [...endings(asked, new Date()), ...asked.flatMap(({ unpriced = [] }) => unpriced)];
  for (const line of [...known, ...(await unlisted(asked, process.env))]) say(`  ${line}`);
}

async function builtAssembly({ assembly: folder, root }: StartSettings, project: Project): Promise<Assembly> {
  const { openAssembly } = await import('../build/assembly');
  const { synthesisVariables } = await import('./start-settings');
  // Other settings of tools are left open in the template, and the local cloud fills them in.
  const { sources, builder } = project;
  const assembly = await openAssembly({ folder, root, builder, sources, env: synthesisVariables(process.env) });
  await assembly.look();
  if (assembly.isCurrent()) return assembly;
  say('Synthesizing the stack…');
  await assembly.build();
  return assembly;
}
