/**
 * `npm run demo`: the reminder story in the terminal, in a local cloud of its own, with moved time.
 * `npm run -s demo -- --json "<request>"` prints one JSON object and nothing else. Exit status 0: the run finished.
 */
import { parseArgs } from 'node:util';
import { assertNodeVersion } from './node-version';

const defaultRequest = 'Remind me tomorrow at 8am, bright and early, to check out https://resonatehq.io';

interface Settings {
  json: boolean;
  request: string;
}

function readSettings(args: string[]): Settings {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  return { json: values.json, request: positionals.join(' ').trim() || defaultRequest };
}

async function demo({ json, request }: Settings): Promise<boolean> {
  assertNodeVersion(process.versions.node);
  // Lambda's time zone, and quiet about the end of Node 20.
  process.env.TZ = 'UTC';
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const [{ startDemoCloud }, { runDemo }, { narrator }] = await Promise.all([
    import('./demo/demo-cloud'),
    import('./demo/run-demo'),
    import('./demo/narrator'),
  ]);
  const cloud = await startDemoCloud((line) => console.error(line));
  const stopped = { byUser: false };
  const interrupted = new Promise<never>((_resolve, reject) => {
    const stop = () => {
      // A second one does not wait.
      if (stopped.byUser) process.exit(130);
      stopped.byUser = true;
      reject(new Error('Stopped.'));
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
  try {
    const story = narrator((line) => json || console.log(line), process.stdout.isTTY === true && !process.env.NO_COLOR);
    if (!json) console.log(`Vigil, on ${cloud.model}. Everything below ran through the synthesized template.`);
    const { result, conversation } = await Promise.race([runDemo(cloud, request, story.tell), interrupted]);
    if (json) console.log(JSON.stringify(result));
    else story.end(result, conversation);
    return result.status === 'done';
  } finally {
    await cloud.stop();
  }
}

demo(readSettings(process.argv.slice(2))).then(
  (finished) => process.exit(finished ? 0 : 1),
  (error: Error) => {
    console.error(`The demo failed: ${error.message}`);
    process.exit(1);
  },
);
