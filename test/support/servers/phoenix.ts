import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from 'vigil-stepfunctions/shared';

/** A span as Phoenix's own API returns it, by OpenInference's conventions, to which it has converted the attributes. */
export interface PhoenixSpan {
  name: string;
  context: { trace_id: string; span_id: string };
  parent_id: string | null;
  span_kind: string;
  start_time: string;
  end_time: string;
  status_code: string;
  attributes: Record<string, unknown>;
}

export interface Phoenix {
  url: string;
  spans(): Promise<PhoenixSpan[]>;
  stop(): Promise<void>;
}

/** Its server for gRPC listens on all addresses, whatever it is told. */
const launcher = `
import sys, grpc.aio
real = grpc.aio.server
def server(*args, **named):
    made = real(*args, **named)
    add = made.add_insecure_port
    made.add_insecure_port = lambda address: add(address.replace('[::]', '127.0.0.1'))
    return made
grpc.aio.server = server
from phoenix.server.main import main
sys.argv = ['phoenix', 'serve']
main()
`;
const startMs = 120_000;

/**
 * Starts Arize Phoenix, a backend of traces, with an empty database.
 *
 * @param python the Python that has it, from `pip install arize-phoenix`.
 */
export async function startPhoenix(python: string): Promise<Phoenix> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-phoenix-'));
  const [port, grpc] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    ...{ PHOENIX_HOST: '127.0.0.1', PHOENIX_PORT: String(port), PHOENIX_GRPC_PORT: String(grpc) },
    ...{ PHOENIX_WORKING_DIR: folder, PHOENIX_TELEMETRY_ENABLED: 'false' },
  };
  const server = spawn(python, ['-c', launcher], { cwd: folder, env, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + startMs;
  const isUp = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (Date.now() > end || server.exitCode !== null) throw new Error(`Phoenix does not start: ${python}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return {
    url,
    async spans() {
      const answer = await fetch(`${url}/v1/projects/default/spans?limit=1000`);
      // Before the first span there is no such project.
      return answer.ok ? ((await answer.json()) as { data: PhoenixSpan[] }).data : [];
    },
    async stop() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
