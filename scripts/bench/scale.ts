import { setMaxListeners } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../../infra/synth';
import { dynamodbClient } from '../../local/dynamodb/client';
import { startDynoxide } from '../../local/dynamodb/dynoxide';
import { compileCloud } from '../../test/support/clouds/compile-cloud';
import { endCloud, serveCloud } from '../../test/support/clouds/served-cloud';
import { startModelServer } from '../../test/support/servers/model-server';
import { type Phase, playCrowd, type Seen } from '../../test/support/stories/crowd/crowd';
import { crowdModel, kinds } from '../../test/support/stories/crowd/kinds';
import { type Requests, watchRequests } from '../../test/support/stories/crowd/requests';
import { documentClient } from '../../test/support/tables/document-client';
import { cpuSeconds, sizeOf } from './cpu';
import { type Figure, inScratch } from './measure';
import { meter } from './metered-table';
import { readReports } from './reports';

/** Before each reply, and between two sentences of one. */
const modelDelayMs = 100;
const asleepMs = 86_400_000;
const sampleMs = 250;
const mostMiB = 8_192;
/** DynamoDB reads so many rows at once. */
const rowsAtOnce = 100;
/** The capacity of a partition key on AWS. */
const partitionUnits = 1_000;

/**
 * Starts conversations of all kinds at once, with one user for five of them, answers what waits for a person, and wakes all that sleep at
 * the same moment. The table's engine is dynoxide, or the one at `DYNAMODB_ENDPOINT`. Linux only.
 *
 * @param minutes when it stops waiting and tells what it has seen.
 * @throws Error if the cloud needs more than 8 GiB.
 */
export function scaleBench(count: number, minutes: number): Promise<Figure[]> {
  return inScratch(async (folder) => {
    await compileCloud();
    const { assembly } = await synthesize(join(folder, 'assembly'));
    const state = join(folder, 'state');
    const engine = await tableEngine(join(folder, 'tables'));
    const table = await meter(engine.endpoint);
    const model = await startModelServer();
    const env = {
      ...process.env,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'bench',
      VIGIL_TITLES: 'off',
      DYNAMODB_ENDPOINT: table.endpoint,
    };
    const cloud = await serveCloud(assembly, state, env);
    const pid = cloud.process.pid!;
    const raw = dynamodbClient(engine.endpoint);
    const watched = watchRequests(cloud.url);
    const size = watchSize(pid, () => cloud.process.kill('SIGKILL'));
    try {
      const { TableNames } = (await raw.call('ListTables', {})) as { TableNames: string[] };
      const name = TableNames.find((one) => one.includes('ConversationTable'))!;
      const at = new Date(Date.now() + asleepMs);
      model.script(crowdModel(at.toISOString(), modelDelayMs));
      const cpu = () => ({ cloud: cpuSeconds(pid), engine: engine.cpuSeconds?.() ?? 0 });
      const before = { ...cpu(), ...sizeOf(pid) };
      const took = new Map<Phase, { ms: number; residentMiB: number }>();
      let after = before;
      const signal = AbortSignal.timeout(minutes * 60_000);
      // Each conversation listens to it.
      setMaxListeners(0, signal);
      const { problems, repeated } = await playCrowd({
        url: cloud.url,
        count,
        at,
        table: { client: documentClient(engine.endpoint), name },
        userOf: (number) => `crowd-${number}`,
        look: (ids) => lookAt(raw, name, ids),
        signal,
        ended(phase, ms) {
          took.set(phase, { ms, residentMiB: sizeOf(pid).residentMiB });
          // What follows checks the outcome.
          after = { ...cpu(), ...sizeOf(pid) };
          const seconds = (after.cloud - before.cloud).toFixed(0);
          console.log(
            `  ${phase}: ${seconds} s of CPU, ${after.residentMiB.toFixed(0)} MiB, ${model.calls} model calls; after ${(ms / 1_000).toFixed(1)} s`,
          );
        },
      });
      for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
      const perConversation = (of: number) => of / count;
      const { writeUnits, readUnits } = table.read();
      const asked = Array.from({ length: count }, (_, number) => kinds[number % kinds.length]!.modelCalls);
      const expected = asked.reduce((sum, calls) => sum + calls);
      const reports = readReports(join(state, 'logs'));
      const seconds = (phase: Phase) => took.get(phase)!.ms / 1_000;
      return [
        figure('well', 'ended as they should', count - problems.length, '', {
          note: `of ${count}; ${repeated} attempts at calls were not the first`,
        }),
        figure('modelCallsTooMany', 'model calls more than needed', model.calls - expected, '', {
          bar: 0,
          note: `${model.calls} in all`,
        }),
        figure('startSeconds', 'until the last start was answered', seconds('started'), 's'),
        figure('restSeconds', '… until all rest, or sleep', seconds('rested'), 's'),
        figure('wokenSeconds', 'until all that woke are done', seconds('woken'), 's'),
        ...answers(watched.requests),
        figure('cpuMs', 'CPU of a conversation', perConversation(after.cloud - before.cloud) * 1_000, 'ms', {
          note: engine.cpuSeconds
            ? `and ${(perConversation(after.engine - before.engine) * 1_000).toFixed(0)} ms of the table's engine`
            : "without the table's engine, which runs elsewhere",
        }),
        figure('peakMiB', 'memory of the cloud at its peak', size.peak.residentMiB, 'MiB', {
          note: `${before.residentMiB.toFixed(0)} before, ${took.get('rested')!.residentMiB.toFixed(0)} when they sleep`,
        }),
        figure('threads', 'function threads at the peak', size.peak.threads - before.threads, ''),
        figure('waitedSeconds', 'the longest wait for a thread', reports.longestWaitMs / 1_000, 's', {
          note: `${reports.longestWaitOf}; of ${reports.invocations} invocations, ${reports.unfinished} timed out`,
        }),
        figure('writeUnits', 'write units of a conversation', perConversation(writeUnits), '', {
          note: `${perConversation(table.requests().writes).toFixed(1)} requests`,
        }),
        figure('readUnits', 'read units of a conversation', perConversation(readUnits), '', {
          note: `${perConversation(table.requests().reads).toFixed(1)} requests`,
        }),
        ...table.partitions.hottest().map(({ kind, units, unitsInSecond }) =>
          figure(`hottest${kind.replace(/\W/g, '')}`, `most written partition ${kind}`, units, '', {
            note: `write units in all, and ${unitsInSecond.toFixed(0)} in a second of ${partitionUnits}`,
          }),
        ),
      ];
    } finally {
      size.stop();
      watched.stop();
      raw.stop();
      await endCloud(cloud, 'SIGTERM');
      await model.stop();
      table.stop();
      await engine.stop();
    }
  });
}

interface TableEngine {
  endpoint: string;
  /** Only if the bench has started it. */
  cpuSeconds?(): number;
  stop(): unknown;
}

/** The engine at `DYNAMODB_ENDPOINT`, or dynoxide. */
async function tableEngine(folder: string): Promise<TableEngine> {
  const endpoint = process.env.DYNAMODB_ENDPOINT;
  if (endpoint) return { endpoint, stop: () => undefined };
  mkdirSync(folder);
  const engine = await startDynoxide(folder, () => undefined);
  const pid = Number(readFileSync(join(folder, 'dynamodb.pid'), 'utf8'));
  return { ...engine, cpuSeconds: () => cpuSeconds(pid) };
}

const figure = (
  key: string,
  name: string,
  value: number,
  unit: Figure['unit'],
  more: Pick<Figure, 'bar' | 'note'> = {},
): Figure => ({ key, name, value, unit, ...more });

function answers({ statuses, took }: Requests): Figure[] {
  const sorted = took.toSorted((a, b) => a - b);
  const half = sorted[sorted.length >> 1] ?? 0;
  const slowest = sorted.at(-1) ?? 0;
  const refused = [...statuses].filter(([status]) => status === 0 || status === 429 || status >= 500);
  return [
    figure('slowestSeconds', 'the slowest answer of the API', slowest / 1_000, 's', {
      note: `median ${(half / 1_000).toFixed(2)} s of ${took.length}`,
    }),
    figure(
      'refused',
      'requests refused, or without an answer',
      refused.reduce((sum, [, times]) => sum + times, 0),
      '',
      {
        note: [...statuses].map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', '),
      },
    ),
  ];
}

async function lookAt(raw: ReturnType<typeof dynamodbClient>, name: string, ids: string[]): Promise<Map<string, Seen>> {
  const found = new Map<string, Seen>();
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const Keys = ids.slice(from, from + rowsAtOnce).map((id) => ({ pk: { S: `C#${id}` }, sk: { S: 'META' } }));
    const { Responses } = (await raw.call('BatchGetItem', { RequestItems: { [name]: { Keys } } })) as {
      Responses: Record<string, { pk: { S: string }; status: { S: string }; runs: { N: string } }[]>;
    };
    for (const { pk, status, runs } of Responses[name] ?? [])
      found.set(pk.S.slice('C#'.length), { status: status.S, runs: Number(runs.N) });
  }
  return found;
}

/** Samples what the cloud has, and ends it if that passes the limits: the bench must not take the machine down. */
function watchSize(pid: number, kill: () => void) {
  const peak = { residentMiB: 0, threads: 0 };
  const timer = setInterval(() => {
    try {
      const now = sizeOf(pid);
      peak.residentMiB = Math.max(peak.residentMiB, now.residentMiB);
      peak.threads = Math.max(peak.threads, now.threads);
    } catch {
      // The cloud has ended.
    }
    if (peak.residentMiB > mostMiB) kill();
  }, sampleMs);
  return { peak, stop: () => clearInterval(timer) };
}
