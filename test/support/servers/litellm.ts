import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from 'vigil-stepfunctions/shared';

export interface Litellm {
  url: string;
  key: string;
  stop(): Promise<void>;
}

const key = 'sk-litellm-of-the-tests';
const startMs = 300_000;

/**
 * Starts a LiteLLM proxy in front of another server of the same APIs.
 *
 * @param command the proxy's program, from `pip install 'litellm[proxy]'`.
 * @param upstream the other server's address, with its `/v1`.
 */
export async function startLitellm(command: string, upstream: string, model: string): Promise<Litellm> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-litellm-'));
  const config = join(folder, 'config.json');
  // JSON is valid YAML.
  const settings = {
    model_list: [
      { model_name: model, litellm_params: { model: `openai/${model}`, api_key: 'none', api_base: upstream } },
    ],
    general_settings: { master_key: key },
    router_settings: { num_retries: 0 },
  };
  writeFileSync(config, JSON.stringify(settings));
  const port = await freePort();
  const args = ['--config', config, '--host', '127.0.0.1', '--port', String(port)];
  const proxy = spawn(command, args, { cwd: folder, stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const end = Date.now() + startMs;
  while (
    !(await fetch(`${url}/health/liveliness`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > end || proxy.exitCode !== null) throw new Error(`LiteLLM does not start: ${command}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return {
    url: `${url}/v1`,
    key,
    async stop() {
      const exited = once(proxy, 'exit');
      proxy.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
