/**
 * `npm run bench`: what it costs and how fast it is, measured, as a table; `-- --json` adds one JSON object as the last line.
 * `-- --only start,demo,steps,bundles,engine` takes some of it. A figure over its bar is
 * marked, and is no failure: a busy machine measures slowly.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Figure } from './measure';

const sections = {
  start: async () => (await import('./start')).startBench(),
  demo: async () => (await import('./demo')).demoBench(),
  steps: async () => (await import('./steps')).stepsBench(),
  bundles: async () => (await import('./bundles')).bundlesBench(),
  engine: async () => engineFigures(),
} satisfies Record<string, () => Promise<Figure[]>>;
type Section = keyof typeof sections;

async function engineFigures(): Promise<Figure[]> {
  const figures = await (await import('./engine')).engineBench();
  return [
    { name: 'a durable step, one run at a time', value: figures.msPerStep, unit: 'ms' },
    { name: 'durable steps, 50 runs at a time', value: figures.stepsPerSecond, unit: '/s' },
    { name: '10,000 runs started and asleep', value: figures.sleepersAsleepSeconds, unit: 's' },
    { name: 'memory with all of them', value: figures.sleepersMiB, unit: 'MiB' },
    { name: 'after kill -9: answers', value: figures.restartAnswersSeconds, unit: 's' },
    { name: 'after kill -9: all asleep again', value: figures.restartAsleepSeconds, unit: 's' },
    { name: 'a callback answered to end of run', value: figures.callbackMs, unit: 'ms' },
  ];
}

function readSections(args: string[]): { chosen: Section[]; json: boolean } {
  const all = Object.keys(sections) as Section[];
  const { values } = parseArgs({
    args,
    options: { json: { type: 'boolean', default: false }, only: { type: 'string', default: all.join(',') } },
  });
  const chosen = values.only.split(',').map((name) => {
    const section = all.find((known) => known === name.trim());
    if (section) return section;
    throw new Error(`--only ${name}: there are ${all.join(', ')}.`);
  });
  return { chosen, json: values.json };
}

const isOver = ({ value, bar }: Figure): boolean => bar !== undefined && value > bar;

function row(figure: Figure): string {
  const { name, value, unit, bar, note = '' } = figure;
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  const limit = bar === undefined ? '' : `${isOver(figure) ? 'OVER' : 'within'} ${bar} ${unit}`;
  return `  ${name.padEnd(36)}${value.toFixed(digits).padStart(9)} ${unit.padEnd(5)}${[limit, note].filter(Boolean).join(' · ')}`.trimEnd();
}

async function bench(args: string[]): Promise<void> {
  const { chosen, json } = readSections(args);
  // The AWS SDK would talk about the end of Node 20 in the middle of the table.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const machine = { node: process.versions.node, platform: `${process.platform}-${process.arch}`, cpus: cpus().length };
  console.log(`Node ${machine.node}, ${machine.platform}, ${machine.cpus} CPUs`);
  const measured: Partial<Record<Section, Figure[]>> = {};
  for (const section of chosen) {
    const figures = await sections[section]();
    measured[section] = figures.map((figure) => ({ ...figure, value: Math.round(figure.value * 100) / 100 }));
    console.log(`\n${section}`);
    for (const figure of figures) console.log(row(figure));
  }
  if (json) console.log(JSON.stringify({ ...machine, ...measured }));
}

bench(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(`The bench failed: ${error.message}`);
    process.exit(1);
  },
);
