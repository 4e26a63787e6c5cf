/**
 * `npm run bench`: measures cost and speed, and prints a table.
 *
 * - `-- --json` adds one JSON object as the last line: `{node, platform, cpus, start: {firstMs, …}, …, engine:
 *   {msPerStep, …}}`.
 * - `-- --only start,steps,search,meaning,bundles,budgets,page,evals,engine,writes,cost,scale` selects sections. By default, all but
 *   `scale`, which takes minutes.
 * - `-- --only scale --conversations 200 --minutes 10` has fewer than 1,000 of them, and stops waiting before 40 minutes.
 * - `-- --only page --parts growing,memory` measures only these parts of the page: start, token, sentence, growing, idle,
 *   memory, open, typing.
 *
 * A figure over its bar is marked, but is no failure, because a busy machine is slower. One of `budgets` is a failure.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { passedBudgets } from './budgets';
import type { Figure } from './measure';

const sections = {
  start: async () => (await import('./start')).startBench(),
  steps: async () => (await import('./steps')).stepsBench(),
  meaning: async () => (await import('./meaning')).meaningBench(),
  search: async () => (await import('./search')).searchBench(),
  bundles: async () => (await import('./bundles')).bundlesBench(),
  budgets: async () => (await import('./counted')).budgetsBench(),
  page: async ({ parts }) => {
    const { pageBench, pageParts } = await import('./page');
    return pageBench(parts === undefined ? pageParts : chosenIn(parts, pageParts, 'parts'));
  },
  evals: async () => (await import('./evals')).evalsBench(),
  engine: async () => engineFigures(),
  writes: async () => (await import('./writes')).writesBench(),
  cost: async () => (await import('./cost/cost')).costBench(),
  scale: async ({ conversations, minutes }) => (await import('./scale')).scaleBench(conversations, minutes),
} satisfies Record<string, (options: Pick<Options, 'conversations' | 'minutes' | 'parts'>) => Promise<Figure[]>>;
type Section = keyof typeof sections;

async function engineFigures(): Promise<Figure[]> {
  const figures = await (await import('./engine')).engineBench();
  return [
    { key: 'msPerStep', name: 'a durable step, one run at a time', value: figures.msPerStep, unit: 'ms' },
    { key: 'stepsPerSecond', name: 'durable steps, 50 runs at a time', value: figures.stepsPerSecond, unit: '/s' },
    {
      key: 'sleepersAsleepSeconds',
      name: '10,000 runs started and asleep',
      value: figures.sleepersAsleepSeconds,
      unit: 's',
    },
    { key: 'sleepersMiB', name: 'memory with all of them', value: figures.sleepersMiB, unit: 'MiB' },
    { key: 'restartAnswersSeconds', name: 'after kill -9: answers', value: figures.restartAnswersSeconds, unit: 's' },
    {
      key: 'restartAsleepSeconds',
      name: 'after kill -9: all asleep again',
      value: figures.restartAsleepSeconds,
      unit: 's',
    },
    { key: 'callbackMs', name: 'a callback answered to end of run', value: figures.callbackMs, unit: 'ms' },
  ];
}

interface Options {
  chosen: Section[];
  json: boolean;
  parts?: string;
  conversations: number;
  minutes: number;
}

function readOptions(args: string[]): Options {
  const all = Object.keys(sections) as Section[];
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', default: all.filter((name) => name !== 'scale').join(',') },
      parts: { type: 'string' },
      conversations: { type: 'string', default: '1000' },
      minutes: { type: 'string', default: '40' },
    },
  });
  const wholeOf = (name: 'conversations' | 'minutes', most: number) => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new Error(`--${name} ${values[name]}: give a whole number from 1 to ${most}.`);
  };
  const chosen = chosenIn(values.only, all, 'only');
  const [conversations, minutes] = [wholeOf('conversations', 10_000), wholeOf('minutes', 240)];
  return { chosen, json: values.json, parts: values.parts, conversations, minutes };
}

/** @throws Error if a name is none of those. */
function chosenIn<Name extends string>(list: string, names: readonly Name[], option: string): Name[] {
  return list.split(',').map((name) => {
    const found = names.find((known) => known === name.trim());
    if (found) return found;
    throw new Error(`--${option} ${name}: there is none of this name. Available: ${names.join(', ')}.`);
  });
}

const isOver = ({ value, bar }: Figure): boolean => bar !== undefined && value > bar;

function row(figure: Figure): string {
  const { name, value, unit, bar, note = '' } = figure;
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  const limit = bar === undefined ? '' : `${isOver(figure) ? 'OVER' : 'within'} ${bar} ${unit}`;
  return `  ${name.padEnd(36)}${value.toFixed(digits).padStart(9)} ${unit.padEnd(5)}${[limit, note].filter(Boolean).join(' · ')}`.trimEnd();
}

async function bench(args: string[]): Promise<void> {
  const { chosen, json, parts, conversations, minutes } = readOptions(args);
  // The AWS SDK would warn about the end of Node 20 in the middle of the table.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const machine = { node: process.versions.node, platform: `${process.platform}-${process.arch}`, cpus: cpus().length };
  console.log(`Node ${machine.node}, ${machine.platform}, ${machine.cpus} CPUs`);
  const measured: Partial<Record<Section, Record<string, number>>> = {};
  const passed: string[] = [];
  for (const section of chosen) {
    const figures = await sections[section]({ conversations, minutes, parts });
    measured[section] = measuredBy(figures);
    console.log(`\n${section}`);
    for (const figure of figures) console.log(row(figure));
    if (section === 'budgets') passed.push(...passedBudgets(measuredBy(figures)));
  }
  if (json) console.log(JSON.stringify({ ...machine, ...measured }));
  if (passed.length > 0) throw new Error(`budgets are passed:\n${passed.join('\n')}`);
}

const measuredBy = (figures: Figure[]): Record<string, number> =>
  Object.fromEntries(figures.map(({ key, value }) => [key, Math.round(value * 1_000) / 1_000]));

bench(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(`The bench failed: ${error.message}`);
    process.exit(1);
  },
);
