import { setTimeout as sleep } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { key, prefix } from '../../core/conversations/rows/keys';
import { type Random, randomOf } from '../explore/random';
import type { ServedCloud } from '../support/clouds/served-cloud';
import { startBackgroundServer } from '../support/servers/background-server';
import { startMcpServers } from '../support/servers/guard';
import { type ChatRequest, startModelServer } from '../support/servers/model-server';
import { startThirdParty, type ThirdParty } from '../support/servers/third-party';
import { startWeb } from '../support/servers/web';
import { type MortalCloud, startMortalCloud } from './mortal-cloud';
import { factsOf, normalise } from './outcome';
import { variablesOf } from './outside';
import { stories } from './stories';
import { delegation } from './stories/delegation';
import type { Story } from './story';
import { runningExecutions, tableOf } from './table-reader';
import { type SharedClock, type World, worldIn } from './world';

/** What happens to a cloud in which all stories are told at once. */
export interface Trouble {
  /** How often each story is told. */
  copies: number;
  /** How often the cloud is killed, from outside, at moments that are spread over the stories. */
  kills: number;
  /** How many invocations or writes fail, each at random. */
  faults: number;
  seed: number;
}

/** What came out of it. */
export interface Told {
  /** Facts that are the same whenever the stories are told to the same users. */
  facts: string[];
  /** What is left where nothing should be: executions, reservations, entries of lists, and what is to be done. */
  leftovers: string[];
  /** Requests to the model. */
  requests: number;
  /** What was done to the cloud. */
  struck: { kills: number; faults: string[] };
}

/** How far the clock moves at a time: less than the time between two firings. */
const tickMs = 1_200_000;
/** The clock stays as it is for so long after something has happened, in real milliseconds: a move could time out what is at work. */
const calmMs = 1_000;
/** What hangs is timed out. Longer than for one story, because all share the machine: what is slow must not look like what hangs. */
const withinMs = 30_000;

/** Tells all stories at once, each to a user and a third party of its own. */
export async function tellTogether(assembly: string, trouble: Trouble, log: (line: string) => void): Promise<Told> {
  const random = randomOf(trouble.seed);
  const started: { text: string; story: Story }[] = [];
  const script = (request: ChatRequest) => storyOf(request, started).script(request);
  const model = await startModelServer({ script });
  const thinker = await startBackgroundServer(script);
  const web = await startWeb();
  web.pages = Object.assign({}, ...stories.map(({ pages }) => pages));
  const mcp = await startMcpServers();
  const cloud = await startMortalCloud(assembly, {
    ...process.env,
    ...variablesOf(model, web),
    ...mcp.variables,
    THINKER_BASE_URL: thinker.url,
  });
  const thirdParties: ThirdParty[] = [];
  const clock = sharedClock(cloud, () => model.requests.length);
  const striking = strike(cloud, trouble, random, () => model.requests.length, log);
  try {
    const copies = stories.flatMap((story) => Array.from({ length: trouble.copies }, (_, copy) => ({ story, copy })));
    const told = await Promise.all(
      copies.map(async ({ story, copy }) => {
        const thirdParty = await startThirdParty();
        thirdParties.push(thirdParty);
        const world = worldIn(cloud, thirdParty, { user: `${story.name}-${copy}`, clock });
        await story.tell(registering(world, story, started));
        log(`${story.name} ${copy + 1} is told`);
        return { story, world };
      }),
    );
    const struck = await striking.end();
    // What is still to come, comes within an hour.
    await clock.pass(3_600_000);
    clock.stop();
    const facts = await Promise.all(told.map(({ story, world }) => factsIn(story, world)));
    const served = await cloud.up();
    return {
      facts: facts.flat().map(normalise),
      leftovers: [...(await leftRows(served)), ...executions(await runningExecutions(served))],
      requests: model.requests.length,
      struck,
    };
  } finally {
    clock.stop();
    await striking.end().catch(() => undefined);
    await Promise.all([
      cloud.stop(),
      model.stop(),
      web.stop(),
      mcp.stop(),
      thinker.stop(),
      ...thirdParties.map((one) => one.stop()),
    ]);
  }
}

const executions = (running: number) => (running === 0 ? [] : [`${running} executions run`]);

async function factsIn(story: Story, world: World): Promise<string[]> {
  const conversations = await Promise.all(world.conversations.map((id) => world.read(id)));
  const lines = [
    ...conversations.flatMap(factsOf),
    ...world.thirdParty.effectPaths.map((path) => `effect at a third party: ${path}`),
    ...((await story.facts?.(world)) ?? []),
  ];
  return lines.map((line) => `${story.name}: ${line}`);
}

/** Remembers what each story's people and timers say first. The model knows by it which story a request belongs to. */
const registering = (world: World, story: Story, started: { text: string; story: Story }[]): World => ({
  ...world,
  start(agent, text, ...rest) {
    started.push({ text: text.trim(), story });
    return world.start(agent, text, ...rest);
  },
  startTimer(body) {
    started.push({ text: body.text, story });
    return world.startTimer(body);
  },
});

/** What no person has begun, the story with sub-agents has. */
function storyOf({ messages }: ChatRequest, started: { text: string; story: Story }[]): Story {
  const said = JSON.stringify(messages);
  const found = started.filter(({ text }) => said.includes(JSON.stringify(text).slice(1, -1)));
  // A short text may be part of what another story says.
  return found.sort((one, other) => other.text.length - one.text.length)[0]?.story ?? delegation;
}

/** Moves the clock whenever nothing happens in any story. */
function sharedClock(cloud: MortalCloud, requests: () => number): SharedClock & { stop(): void } {
  let since = Date.now();
  let seen = 0;
  let stopped = false;
  let now = 0;
  const waiting: { until: number; resolve: () => void }[] = [];
  const ask = async (body?: object): Promise<void> => {
    const { url } = await cloud.up();
    const answer = await fetch(`${url}/_local/clock`, body && { method: 'POST', body: JSON.stringify(body) });
    now = Date.parse(((await answer.json()) as { now: string }).now);
  };
  const turn = async () => {
    while (!stopped) {
      await sleep(50);
      // While the cloud is down, nobody sees that something happens.
      const isUp = await ask().then(
        () => true,
        () => false,
      );
      if (!isUp || seen !== requests()) [seen, since] = [requests(), Date.now()];
      if (Date.now() - since < calmMs) continue;
      await ask({ advance: `PT${tickMs / 1_000}S`, withinMs, jump: true }).catch(() => undefined);
      since = Date.now();
      for (const one of waiting.filter(({ until }) => until <= now)) {
        waiting.splice(waiting.indexOf(one), 1);
        one.resolve();
      }
    }
  };
  void turn();
  return {
    busy() {
      since = Date.now();
    },
    async pass(milliseconds) {
      while (now === 0) await ask().catch(() => sleep(50));
      await new Promise<void>((resolve) => waiting.push({ until: now + milliseconds, resolve }));
    },
    stop() {
      stopped = true;
    },
  };
}

const functions = ['CallModel', 'Api', 'Settle', 'Relay', 'Reconcile', 'Pay', 'Hit', 'Order'];
const faultKinds = ['crash', 'error', 'throttle', 'timeout'];
const moments = ['before', 'after', 5, 30];

/** Kills the cloud and orders faults, evenly over the requests that the stories make to their model. */
function strike(
  cloud: MortalCloud,
  { copies, kills, faults }: Trouble,
  random: Random,
  requests: () => number,
  log: (line: string) => void,
) {
  /** A story makes about four requests. */
  const expected = stories.length * copies * 4;
  const struck = { kills: 0, faults: [] as string[] };
  let ended = false;
  const due = (done: number, all: number) => done < all && requests() >= ((done + 1) * expected) / (all + 1);
  async function order(): Promise<void> {
    const fault = random.chance(0.4)
      ? { write: random.pick(['lost', 'throttle']), nth: 1 + random.below(20), times: 1 }
      : { function: random.pick(functions), kind: random.pick(faultKinds), at: random.pick(moments), nth: 1, times: 1 };
    const { url } = await cloud.up();
    const answer = await fetch(`${url}/_local/faults`, { method: 'POST', body: JSON.stringify(fault) });
    if (!answer.ok) throw new Error(await answer.text());
    struck.faults.push(JSON.stringify(fault));
  }
  const work = (async () => {
    while (!ended) {
      await sleep(20);
      if (due(struck.kills, kills)) {
        struck.kills += 1;
        log(`kill ${struck.kills}, after ${requests()} requests to the model`);
        await cloud.kill();
        await cloud.up();
      }
      // The cloud may die, or be down, when it is told.
      if (due(struck.faults.length, faults)) await order().catch((error: Error) => log(`no fault: ${error.message}`));
    }
  })();
  return {
    async end() {
      ended = true;
      await work;
      const { url } = await cloud.up();
      await fetch(`${url}/_local/faults`, { method: 'DELETE' });
      return struck;
    },
  };
}

/** Returns what rows say of work, or of something reserved, that nobody has any more. */
async function leftRows(served: ServedCloud): Promise<string[]> {
  const { client, name } = await tableOf(served);
  const rows: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true }))
    rows.push(...Items);
  return rows.flatMap((row) => remains(row).map((what) => `${row.pk} ${row.sk} still has ${what}`));
}

function remains({ sk, openFor, status, run, ...row }: Record<string, unknown>): string[] {
  const left = [openFor && `a place in a list: ${openFor}`];
  if (sk === key.meta) left.push((run as { reserved?: object } | undefined)?.reserved && 'a reservation');
  if (sk === key.counts)
    left.push(...['runs', 'subAgents', 'timers'].map((what) => row[what] && `${row[what]} ${what}`));
  if (String(sk).startsWith(prefix.callback)) left.push(status === 'pending' && 'a pending callback');
  return left.filter((one): one is string => typeof one === 'string');
}
