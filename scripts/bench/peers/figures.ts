/**
 * The report that a peer's run leaves in `results/`, as far as the table reads it. Times are in ms, or in the unit of
 * their names.
 */
export interface Report {
  peer: string;
  node: string;
  load: number[];
  loadAtEnd?: number[];
  A?: {
    seqMsPerStep: Spread;
    concStepsPerSec: Spread;
    seqCpuMsPerStep: Spread;
    concCpuMsPerStep: Spread;
    memoryAfter: Usage;
  };
  B?: Sleepers[];
  C?: { medianMsOfEachRepeat: Spread };
}

interface Spread {
  min: number;
  median: number;
  max: number;
}

interface Usage {
  pssMiB: number;
  diskMiB?: number;
}

interface Sleepers {
  n: number;
  error?: string;
  start?: { asleep: number; asleepMs: number };
  afterStart?: Usage;
  asleepUsage?: Usage;
  asleepCpuPercent?: number;
  restartAnswersMs?: number;
  restartAllAsleepMs?: number;
  restartNote?: string;
  afterRestart?: Usage;
}

/** A row of the table. */
export interface Figure {
  name: string;
  unit: string;
  /** Returns undefined if the peer has not done it. */
  read(report: Report): number | undefined;
  /** Vigil's target: a maximum, or a minimum for a rate. */
  bar?: number;
  rate?: boolean;
}

/** Takes the best run of the repeats, because other work on the machine only makes a run slower. */
const agentLoop: Figure[] = [
  { name: 'A a step, one run at a time', unit: 'ms', read: ({ A }) => A?.seqMsPerStep.min, bar: 0.5 },
  { name: 'A steps, 50 runs at a time', unit: '/s', read: ({ A }) => A?.concStepsPerSec.max, bar: 8000, rate: true },
  { name: 'A CPU of a step, one run at a time', unit: 'ms', read: ({ A }) => A?.seqCpuMsPerStep.min },
  { name: 'A CPU of a step, 50 runs at a time', unit: 'ms', read: ({ A }) => A?.concCpuMsPerStep.min },
  { name: 'A memory afterwards', unit: 'MiB', read: ({ A }) => A?.memoryAfter.pssMiB },
];

const callback: Figure = {
  name: 'C answer to end of run',
  unit: 'ms',
  read: ({ C }) => C?.medianMsOfEachRepeat.min,
  bar: 2,
};

function sleepers(n: number): Figure[] {
  const b = ({ B }: Report) => B?.find((each) => each.n === n);
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1000);
  const all = (each: Sleepers | undefined) => ((each?.start?.asleep ?? 0) >= n ? each?.start?.asleepMs : undefined);
  const again = (each: Sleepers | undefined) => (each?.restartNote ? undefined : each?.restartAllAsleepMs);
  // The bars are for 10,000 sleepers.
  const bar = (value: number) => (n === 10_000 ? { bar: value } : {});
  const rows: Figure[] = [
    { name: 'all asleep', unit: 's', read: (r) => seconds(all(b(r))), ...bar(5) },
    { name: 'memory at once', unit: 'MiB', read: (r) => b(r)?.afterStart?.pssMiB },
    { name: 'memory 8 s later', unit: 'MiB', read: (r) => b(r)?.asleepUsage?.pssMiB, ...bar(120) },
    { name: 'disk', unit: 'MiB', read: (r) => b(r)?.asleepUsage?.diskMiB },
    { name: 'CPU while they sleep', unit: '%', read: (r) => b(r)?.asleepCpuPercent },
    { name: 'kill -9, answers', unit: 's', read: (r) => seconds(b(r)?.restartAnswersMs), ...bar(0.3) },
    { name: 'kill -9, all asleep again', unit: 's', read: (r) => seconds(again(b(r))), ...bar(1) },
    { name: 'memory after that', unit: 'MiB', read: (r) => b(r)?.afterRestart?.pssMiB },
  ];
  return rows.map((row) => ({ ...row, name: `B ${n.toLocaleString('en')}: ${row.name}` }));
}

/** Returns every figure, with those of scenario B for each number of sleepers. */
export const figures = (counts: number[]): Figure[] => [...agentLoop, ...counts.flatMap(sleepers), callback];
