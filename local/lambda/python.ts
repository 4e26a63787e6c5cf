import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Ending, exitOf, newSandbox, type Report, type Sandbox, type SandboxOptions } from './sandbox';

/**
 * Python's side: it loads the module, then reads one event a line from stdin and writes one answer a line to file
 * descriptor 3. So whatever the function prints stays in its log.
 */
const runtime = `
import importlib, json, os, sys, time, traceback

folder, module, name, function, arn, memory = sys.argv[1:]
answers = os.fdopen(3, 'w', buffering=1)

def describe(error):
    trace = [line for entry in traceback.format_tb(error.__traceback__) for line in entry.splitlines()]
    return {'errorType': type(error).__name__, 'errorMessage': str(error), 'trace': trace}

def post(answer):
    answers.write(json.dumps(answer) + chr(10))

class Context:
    function_name, function_version, invoked_function_arn, memory_limit_in_mb = function, '$LATEST', arn, memory
    def __init__(self, request_id, timeout_ms):
        self.aws_request_id = request_id
        self.deadline = time.monotonic() + timeout_ms / 1000
    def get_remaining_time_in_millis(self):
        return max(0, round((self.deadline - time.monotonic()) * 1000))

try:
    sys.path.insert(0, folder)
    handler = getattr(importlib.import_module(module.replace('/', '.')), name)
except BaseException as error:
    post({'kind': 'failed-to-load', 'error': {**describe(error), 'errorType': 'Runtime.ImportModuleError'}})
    sys.exit(0)
post({'kind': 'ready'})
for line in sys.stdin:
    event = json.loads(line)
    try:
        answer = handler(json.loads(event['payload']), Context(event['requestId'], event['timeoutMs']))
        post({'kind': 'done', 'payload': json.dumps(answer)})
    except Exception as error:
        traceback.print_exc()
        post({'kind': 'failed', 'error': describe(error)})
`;

/**
 * One Python process with a function's module, for functions of the app in that language. Their clock is the machine's:
 * moving the cloud's clock does not move it.
 */
export function startPython({ setup, environment, print }: SandboxOptions): Sandbox {
  const [, folder = '', module = ''] = /^(.*)[\\/]([^\\/]+)\.py$/.exec(setup.file) ?? [];
  const args = ['-u', '-c', runtime, folder, module, setup.handler];
  const child = spawn('python3', [...args, setup.functionName, setup.functionArn, String(setup.memoryMb)], {
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const { sandbox, report } = newSandbox({
    send: (invocation) => void child.stdin.write(`${JSON.stringify(invocation)}\n`),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  });
  child.stdout.on('data', print);
  child.stderr.on('data', print);
  // The process may end before it has read an event.
  child.stdin.on('error', () => undefined);
  child.on('error', ({ message }) => report(exited(`python3 cannot be started: ${message}`)));
  child.on('close', (code) => report({ kind: 'exited', error: exitOf(code ?? 1) }));
  createInterface({ input: child.stdio[3] as Readable }).on('line', (line) => report(JSON.parse(line) as Report));
  return sandbox;
}

const exited = (errorMessage: string): Ending => ({
  kind: 'exited',
  error: { errorType: 'Runtime.ExitError', errorMessage, trace: [] },
});
