/**
 * Compares Vigil's engine with alternatives, on this machine, in one run of the peers' own harness:
 *
 *     npx tsx scripts/bench/peers/run.ts --peers restate,dbos,vigil [--scenarios A,B,C] [--repeat 2] [--n 1000,10000]
 *
 * `PEERS_DIR` names the peers' folder (default `../shared/bench/peers`; its README describes A, B and C). If its
 * packages are missing, it is copied to a temporary folder and installed there, which takes a minute the first time.
 * DBOS needs PostgreSQL's server package (`PG_BIN` if it is not in Debian's location). The peers run on the Node that
 * they bring, Vigil on the Node that runs this. Everything listens on loopback, is stopped at the end, and leaves
 * `results/*.json` in the peers' folder.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import type { Report } from './figures';
import { bundleEngine, peersFolder, postgresFolder } from './prepare';
import { table } from './table';

const { values } = parseArgs({
  options: {
    peers: { type: 'string', default: 'restate,dbos,vigil' },
    scenarios: { type: 'string', default: 'A,B,C' },
    repeat: { type: 'string', default: '2' },
    n: { type: 'string', default: '1000,10000' },
  },
});
const scenarios = values.scenarios.toUpperCase().split(',');
/** After this time, the harness itself ends its processes. A little later, it is stopped. */
const minutes = 10;
/** Stops the running peer, which stops its processes. */
const ended = new AbortController();
process.once('SIGTERM', () => ended.abort());

/** Runs one peer's script to its end. Shows its output, except the JSON report. */
async function measure(peer: string, folder: string, env: NodeJS.ProcessEnv): Promise<Report | undefined> {
  const [node, script] =
    peer === 'vigil'
      ? [process.execPath, path.join(__dirname, 'vigil.mjs')]
      : [path.join(folder, 'node_modules/node22/bin/node'), path.join(folder, `${peer}.mjs`)];
  const result = path.join(folder, `results/${peer}.${scenarios.join('')}.json`);
  rmSync(result, { force: true });
  const options = ['--repeat', values.repeat, '--n', values.n, '--max-minutes', String(minutes)];
  const child = spawn(node, [script, ...scenarios, ...options], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: (minutes + 1) * 60_000,
    signal: ended.signal,
  });
  createInterface(child.stdout).on('line', (line) => {
    if (!line.startsWith('{')) console.log(line);
  });
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code === 0) return JSON.parse(readFileSync(result, 'utf8')) as Report;
  console.error(`${peer} failed (${code}); its output is above`);
  return undefined;
}

async function run(): Promise<void> {
  const folder = peersFolder();
  const engine = bundleEngine();
  try {
    const env = { ...process.env, PEERS_DIR: folder, VIGIL_ENGINE: engine, PG_BIN: postgresFolder() };
    const reports: Report[] = [];
    for (const peer of values.peers.split(',')) {
      const report = await measure(peer, folder, env);
      if (report) reports.push(report);
    }
    console.log(`\n${table(reports)}\n`);
    for (const { peer, node, load, loadAtEnd } of reports) {
      console.log(`${peer}: Node ${node}, load average ${load[0]!.toFixed(2)} to ${loadAtEnd?.[0]?.toFixed(2) ?? '?'}`);
    }
    console.log(`Load average now ${loadavg()[0]!.toFixed(2)}; the better run of the repeats is shown`);
  } finally {
    rmSync(engine, { force: true });
  }
}

run().catch((error: Error) => {
  console.error(`The comparison failed: ${error.message}`);
  process.exitCode = 1;
});
