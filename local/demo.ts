/**
 * `npm run demo`: the reminder story in the terminal, in its own local cloud, with the clock moved. `npm run -s demo --
 * --json "<request>"` prints one JSON object and nothing else. Exit status 0: the run is done.
 */
import { parseArgs } from 'node:util';
import { assertNodeVersion } from './npm-start/node-version';

const defaultRequest = 'Remind me tomorrow at 8am, bright and early, to check out https://example.org/news';

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
  // Lambda's time zone, and no warning about the end of Node 20.
  process.env.TZ = 'UTC';
  // Everything written is for this user only.
  process.umask(0o077);
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const [{ startDemoCloud }, { runDemo }, { narrator }] = await Promise.all([
    import('./demo/demo-cloud'),
    import('./demo/run-demo'),
    import('./demo/narrator'),
  ]);
  const interrupted = interruption();
  const starting = startDemoCloud((line) => console.error(line));
  try {
    const cloud = await Promise.race([starting, interrupted]);
    const story = narrator((line) => console.log(line), process.stdout.isTTY === true && !process.env.NO_COLOR);
    if (!json) console.log(`Vigil, on ${cloud.model}. All of this runs through the synthesized template.`);
    const tell = json ? () => undefined : story.tell;
    const { result, conversation } = await Promise.race([runDemo(cloud, request, tell), interrupted]);
    if (json) console.log(JSON.stringify(result));
    else story.end(result, conversation.run);
    return result.status === 'done';
  } finally {
    // If it is interrupted during the start, it stops as soon as it has started.
    await starting.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  }
}

/** Rejects on Ctrl-C, so that everything is stopped. A second Ctrl-C exits at once. */
function interruption(): Promise<never> {
  const stopped = new Promise<never>((_resolve, reject) => {
    let heard = false;
    const hear = () => {
      if (heard) process.exit(130);
      heard = true;
      reject(new Error('Stopped.'));
    };
    process.on('SIGINT', hear).on('SIGTERM', hear);
  });
  stopped.catch(() => undefined);
  return stopped;
}

demo(readSettings(process.argv.slice(2))).then(
  (finished) => process.exit(finished ? 0 : 1),
  (error: Error) => {
    console.error(`The demo failed: ${error.message}`);
    process.exit(1);
  },
);
