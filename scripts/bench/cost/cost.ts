import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { synthesize } from '../../../infra/synth';
import { type LocalCloud, startLocalCloud } from '../../../local/cloud';
import { startDynoxide } from '../../../local/dynamodb/dynoxide';
import { openStandIns } from '../../../local/npm-start/stand-ins';
import { nextChange, signIn, type User } from '../../../test/support/api-client';
import { historyOf, machinesOf, statesEntered } from '../../../test/support/history';
import { type ChatRequest, type Reply, startModelServer } from '../../../test/support/servers/model-server';
import { reminderStory, wish } from '../../../test/support/stories/reminder-story';
import { call } from '../../../test/support/stories/transcript';
import { type Figure, inScratch } from '../measure';
import { meter } from '../metered-table';
import { cachingBench } from './caching';
import { dollarsElsewhere, dollarsOf, dollarsOfGateways, price, type Used } from './prices';
import { waitingBench } from './waiting';

interface Said {
  agent: string;
  says: string;
  /** The ISO 8601 duration by which the clock is moved then. */
  waits?: string;
  /** The agent's, if not set. */
  name?: string;
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

/** The steps of a long run, with one tool each; an answer follows. */
const codingSteps = 200;
const longRun = `${codingSteps} steps with one tool each`;

type UsedBy = ReadonlyMap<string, Used>;

/**
 * Counts what a conversation with each agent uses, and a run of many steps: from the histories of the executions, the functions' reports,
 * and the capacity that the table's engine reports. Prices are those of `prices.ts`.
 */
export async function costBench(): Promise<Figure[]> {
  const cached = await cachingBench();
  const used = await usedByAll();
  const { transitions, writeUnits } = used.get(longRun)!;
  return [
    ...cached,
    ...waitingBench(),
    ...[...used].map(([name, one]) => figureOf(name, one)),
    {
      key: 'perMillionSteps',
      name: `10^6 steps, one tool each, in runs of ${codingSteps}`,
      unit: '$',
      note: 'Step Functions',
      value: ((transitions * price.transition) / codingSteps) * 1e6,
    },
    {
      key: 'writeUnitsPerStep',
      name: `a step of a run of ${codingSteps}`,
      unit: '',
      bar: 23,
      note: 'write units, six of them for the budget of its user',
      value: writeUnits / codingSteps,
    },
  ];
}

/** Counts what each conversation uses, by its name. */
function usedByAll(): Promise<UsedBy> {
  return inScratch(async (folder) => {
    const standIns = await openStandIns({});
    const model = await startModelServer({ script: scripted });
    const { assembly } = await synthesize(join(folder, 'assembly'));
    try {
      const shipped = await inCloud(join(folder, 'shipped'), assembly, standIns.variables, conversations);
      const ofTitles = {
        VIGIL_TITLES: 'off',
        VIGIL_MAX_STEPS: '1000',
        OPENAI_API_KEY: 'bench',
        OPENAI_BASE_URL: model.url,
      };
      const counted = await inCloud(join(folder, 'scripted'), assembly, { ...standIns.variables, ...ofTitles }, [
        { agent: 'reminder', says: `${codingSteps} steps`, name: longRun },
        { agent: 'reminder', says: wish, waits: 'P2D', name: 'reminder story: sleeps until tomorrow' },
      ]);
      return new Map([...shipped, ...counted]);
    } finally {
      await standIns.stop();
      await model.stop();
    }
  });
}

/** A model that reads the time as often as it is told, or plays the reminder story. */
function scripted(request: ChatRequest): Reply {
  const asked = request.messages.findLast(({ role }) => role === 'user');
  const [, steps] = /^(\d+) steps$/.exec(String(asked?.content)) ?? [];
  if (!steps) return reminderStory(request);
  const since = request.messages.slice(request.messages.indexOf(asked!));
  const made = since.filter(({ role }) => role === 'tool').length;
  return made < Number(steps) ? call(`c${made}`, 'current_time', {}) : { text: 'Done.' };
}

async function inCloud(
  folder: string,
  assembly: string,
  variables: Record<string, string>,
  speeches: Said[],
): Promise<UsedBy> {
  mkdirSync(folder);
  const engine = await startDynoxide(folder, () => undefined);
  const table = await meter(engine.endpoint);
  const state = join(folder, 'state');
  // The cloud reads it from its own process.
  process.env.DYNAMODB_ENDPOINT = table.endpoint;
  const cloud = await startLocalCloud({ assembly, stateDirectory: state, variables });
  const stepFunctions = new SFNClient({
    endpoint: cloud.awsUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  try {
    const usedNow = async (): Promise<Used> => ({
      transitions: await transitionsIn(stepFunctions),
      ...reportsIn(join(state, 'logs'), memoryOf(cloud)),
      ...table.read(),
      events: linesOf(join(state, 'events.jsonl')).length,
    });
    const found = new Map<string, Used>();
    for (const said of speeches) {
      // The first one loads the functions.
      if (said.agent !== speeches[found.size - 1]?.agent) await converse(cloud, said);
      const before = await usedNow();
      await converse(cloud, said);
      found.set(said.name ?? said.agent, difference(await usedNow(), before));
    }
    return found;
  } finally {
    delete process.env.DYNAMODB_ENDPOINT;
    stepFunctions.destroy();
    await cloud.stop();
    table.stop();
    await engine.stop();
  }
}

/** One line: what a thousand cost, and what Step Functions' part would be elsewhere. */
function figureOf(name: string, used: Used): Figure {
  const { all, stepFunctions, lambda, dynamodb, logs } = dollarsOf(used);
  const { peer, durable } = dollarsElsewhere(used);
  const { apiGateway, webSocket } = dollarsOfGateways(used);
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
  const states = [
    ofThousand(stepFunctions),
    `a peer of 7 transitions a step ${ofThousand(peer)}`,
    `durable functions ${ofThousand(durable)}`,
  ];
  const parts = [
    `Step Functions: ${states.join(', ')}`,
    `Lambda ${ofThousand(lambda)}`,
    `DynamoDB ${ofThousand(dynamodb)}`,
    `API Gateway ${ofThousand(apiGateway)}, WebSocket ${ofThousand(webSocket)}, logs ${ofThousand(logs)}`,
  ];
  const key = name.replace(/\W+/g, '_');
  return {
    key,
    name: `1,000 × ${name}`,
    value: all * 1_000,
    unit: '$',
    note: [...parts, counted.join(', ')].join(' · '),
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

/** Counts the states that all executions have entered. */
async function transitionsIn(client: SFNClient): Promise<number> {
  let transitions = 0;
  for (const stateMachineArn of await machinesOf(client)) {
    for (let nextToken: string | undefined; ; ) {
      const page = await client.send(new ListExecutionsCommand({ stateMachineArn, nextToken, maxResults: 1_000 }));
      for (const { executionArn } of page.executions ?? [])
        transitions += statesEntered(await historyOf(client, executionArn!)).length;
      nextToken = page.nextToken;
      if (!nextToken) break;
    }
  }
  return transitions;
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
