/**
 * A local cloud as a separate process, for tests that kill it:
 *
 *     tsx local/serve.ts --assembly DIR --state DIR [--port 0] [--aws-port 0] [--web DIR] [--variable NAME]…
 *
 * Prints one line, `ready {"url":…,"awsUrl":…,"pid":…}`. On failure, prints one line on stderr and exits with 1. Of the environment,
 * functions get Vigil's settings, keys and addresses, and each `--variable`.
 *
 * A parent process with a channel can send `{"assembly"?: DIR, "environment": {…}}`. The cloud deploys the assembly, or the one that it
 * has, with these variables and answers `{"error"?: …}`. When the channel closes, the cloud stops.
 */
import { parseArgs } from 'node:util';
import { startLocalCloud } from './cloud';
import { outsideWorld } from './npm-start/outside-world';
import { stopOnSignals } from './npm-start/signals';

async function serve(): Promise<void> {
  const { values } = parseArgs({
    options: {
      assembly: { type: 'string' },
      state: { type: 'string' },
      port: { type: 'string', default: '0' },
      'aws-port': { type: 'string', default: '0' },
      web: { type: 'string' },
      variable: { type: 'string', multiple: true, default: [] },
    },
  });
  if (!values.assembly || !values.state) throw new Error('Set --assembly and --state to folders.');
  const outside = (environment: NodeJS.ProcessEnv) => {
    const named = values.variable.map((name) => [name, environment[name] ?? '']);
    return { variables: { ...outsideWorld(environment), ...Object.fromEntries(named) }, environment };
  };
  const cloud = await startLocalCloud({
    assembly: values.assembly,
    stateDirectory: values.state,
    port: Number(values.port),
    awsPort: Number(values['aws-port']),
    web: values.web,
    ...outside(process.env),
    log: (line) => console.error(line),
  });
  stopOnSignals(cloud.stop);
  let { assembly: deployed } = values;
  process.on('message', ({ assembly = deployed!, environment }: Deploy) => {
    cloud.deploy(assembly, outside(environment)).then(
      () => {
        deployed = assembly;
        process.send?.({});
      },
      (error: Error) => process.send?.({ error: error.message }),
    );
  });
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  console.log(`ready ${JSON.stringify({ url: cloud.url, awsUrl: cloud.awsUrl, pid: process.pid })}`);
}

interface Deploy {
  assembly?: string;
  environment: NodeJS.ProcessEnv;
}

// Lambda's time zone.
process.env.TZ = 'UTC';
// Everything written is for this user only.
process.umask(0o077);
serve().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
