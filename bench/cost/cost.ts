import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListExecutionsCommand, ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { synthesize } from '../../infra/synth';
import { type LocalCloud, startLocalCloud } from '../../local/cloud';
import { startDynoxide } from '../../local/dynamodb/dynoxide';
import { openStandIns } from '../../local/npm-start/stand-ins';
import { nextChange, signIn, type User } from '../../test/support/api-client';
import { historyOf, statesEntered } from '../../test/support/history';
import { type Figure, inScratch } from '../measure';
import { meter } from './metered-table';
import { dollarsOf, type Used } from './prices';

interface Said {
  agent: string;
  says: string;
  /** How far the clock is moved then, as an ISO 8601 duration. */
  waits?: string;
}

/** A conversation for each agent that comes with Vigil. The bank's asks the account manager, and the chat's hands over to the calculator. */
const conversations: Said[] = [
  { agent: 'calculator', says: 'What is 12 % of 340?' },
  { agent: 'chat', says: 'What is 12 % of 340?' },
  { agent: 'reminder', says: 'Remind me in 3 weeks to renew my passport', waits: 'P22D' },
  { agent: 'researcher', says: 'Search the web for the temples of Kyoto' },
  { agent: 'travel', says: 'Four days in Kyoto in May, on a budget of $1,200' },
  { agent: 'bank', says: 'What is my balance, and what came in lately?' },
  { agent: 'account-manager', says: 'What is my balance, and what came in lately?' },
  { agent: 'loan-advisor', says: 'Which loans do I have?' },
];
const quietMs = 1_500;

/**
 * Counts what a conversation with each agent uses: from the histories of its executions, the functions' reports, and the capacity that the
 * table's engine reports. A page that watches is not among it. Prices are those of `prices.ts`.
 */
export async function costBench(): Promise<Figure[]> {
  return inScratch(async (folder) => {
    const engine = await startDynoxide(folder, () => undefined);
    const table = await meter(engine.endpoint);
    const standIns = await openStandIns({});
    const { assembly } = await synthesize(join(folder, 'assembly'));
    const state = join(folder, 'state');
    // The cloud reads it from its own process.
    process.env.DYNAMODB_ENDPOINT = table.endpoint;
    const cloud = await startLocalCloud({
      assembly,
      stateDirectory: state,
      variables: standIns.variables,
    });
    const stepFunctions = new SFNClient({
      ...{ endpoint: cloud.awsUrl, region: 'us-east-1' },
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    });
    try {
      const usedNow = async (): Promise<Used> => ({
        ...(await historiesIn(stepFunctions)),
        ...reportsIn(join(state, 'logs'), memoryOf(cloud)),
        ...table.read(),
        events: linesOf(join(state, 'events.jsonl')).length,
      });
      const figures: Figure[] = [];
      for (const said of conversations) {
        // The first one loads the functions.
        await converse(cloud, said);
        const before = await usedNow();
        await converse(cloud, said);
        figures.push(figureOf(said.agent, difference(await usedNow(), before)));
      }
      return figures;
    } finally {
      delete process.env.DYNAMODB_ENDPOINT;
      stepFunctions.destroy();
      await cloud.stop();
      await standIns.stop();
      table.stop();
      await engine.stop();
    }
  });
}

function figureOf(agent: string, used: Used): Figure {
  const { all, stepFunctions, lambda, dynamodb, logs } = dollarsOf(used);
  const ofThousand = (dollars: number) => (dollars * 1_000).toFixed(3);
  const { modelCalls, transitions, invocations, gigabyteSeconds, writeUnits, readUnits, logBytes } = used;
  const counted = [
    `${modelCalls} model calls`,
    `${transitions} transitions`,
    `${Math.round(invocations)} invocations`,
    `${gigabyteSeconds.toFixed(2)} GB-s`,
    `${Math.round(writeUnits)} write units`,
    `${Math.round(readUnits)} read units`,
    `${(logBytes / 1_000).toFixed(1)} KB of logs`,
  ];
  const parts = `Step Functions ${ofThousand(stepFunctions)}, Lambda ${ofThousand(lambda)}, DynamoDB ${ofThousand(dynamodb)}, logs ${ofThousand(logs)}`;
  return {
    key: agent,
    name: `1,000 × ${agent}`,
    value: all * 1_000,
    unit: '$',
    note: `${parts} · ${counted.join(', ')}`,
  };
}

/** Speaks to an agent until nothing happens any more. */
async function converse(cloud: LocalCloud, { agent, says, waits }: Said): Promise<void> {
  const user = await signIn(cloud.url, 'bench');
  const { id } = await user.start(agent, says);
  await quiet(cloud.url, user, id);
  if (!waits) return;
  await fetch(`${cloud.url}/_local/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advance: waits }),
  });
  await quiet(cloud.url, user, id);
}

/** Waits until the run rests, and the tables have not changed for a while. */
async function quiet(url: string, user: User, id: string): Promise<void> {
  for (let last = -1; ; ) {
    const now = await nextChange(url, Math.max(0, last), quietMs);
    if (now === last && (await user.read(id)).status !== 'running') break;
    last = now;
  }
  // Readers of the stream may still be at work.
  await sleep(quietMs / 3);
}

async function historiesIn(client: SFNClient): Promise<Pick<Used, 'transitions'>> {
  const found = { transitions: 0 };
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  for (const { stateMachineArn } of stateMachines) {
    for (let nextToken: string | undefined; ; ) {
      const page = await client.send(new ListExecutionsCommand({ stateMachineArn, nextToken, maxResults: 1_000 }));
      for (const { executionArn } of page.executions ?? []) {
        found.transitions += statesEntered(await historyOf(client, executionArn!)).length;
      }
      nextToken = page.nextToken;
      if (!nextToken) break;
    }
  }
  return found;
}

const memoryOf =
  ({ resources }: LocalCloud) =>
  (fn: string): number =>
    Number(
      resources.list().find(({ type, name }) => type === 'AWS::Lambda::Function' && name === fn)?.properties.MemorySize,
    );

/** Adds up the functions' reports, and the size of what they have logged besides. */
function reportsIn(
  folder: string,
  memory: (fn: string) => number,
): Pick<Used, 'modelCalls' | 'invocations' | 'gigabyteSeconds' | 'logBytes'> {
  const found = { modelCalls: 0, invocations: 0, gigabyteSeconds: 0, logBytes: 0 };
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    for (const line of linesOf(join(folder, file))) {
      const [, ms] = /^REPORT .* Duration: ([\d.]+) ms/.exec(line) ?? [];
      found.logBytes += line.length + 26;
      if (line.includes('"message":"model"')) found.modelCalls += 1;
      if (!ms) continue;
      found.invocations += 1;
      found.gigabyteSeconds += (Number(ms) / 1_000) * (memory(file.replace(/(\.1)?\.log$/, '')) / 1_024);
      // Lambda's own three lines in JSON.
      found.logBytes += 700;
    }
  }
  return found;
}

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];

const difference = (now: Used, before: Used): Used =>
  Object.fromEntries(
    Object.entries(now).map(([what, count]) => [what, count - before[what as keyof Used]]),
  ) as unknown as Used;
