import { compare } from './compare';
import { type TableFate, type TablePoint, type TableWrite, tableFates } from './faulty-table';
import { type CrashPoint, type Played, play } from './play';
import type { Story } from './story';

export interface SweepOptions {
  stories: readonly Story[];
  assembly: string;
  /** Of each story, so many crash points, evenly spaced; default all. */
  sample?: number;
  /** Only these kinds of faults; default all. */
  kinds?: readonly string[];
  /** How many clouds run at the same time. */
  atATime?: number;
  log?: (line: string) => void;
}

export interface Tally {
  tried: number;
  /** The same by the kind of the fault. */
  byKind: Partial<Record<CrashPoint['kind'], number>>;
  /** Points that no run came to. */
  missed: number;
  lost: number;
  doubled: number;
  /** Points after which the story did not come to its end. */
  unfinished: number;
}

/** Tells each story once for every place where a process, or an answer of the table, can be lost, and loses it there. */
export async function sweep({
  stories,
  assembly,
  sample,
  kinds,
  atATime = 3,
  log = () => undefined,
}: SweepOptions): Promise<Tally> {
  const tally: Tally = { tried: 0, byKind: {}, missed: 0, lost: 0, doubled: 0, unfinished: 0 };
  for (const story of stories) {
    const clean = await play(story, assembly).catch((cause: Error) => {
      throw new Error(`${story.name}, with nothing lost: ${cause.message}`, { cause });
    });
    const all = crashPoints(clean).filter(({ kind }) => kinds?.includes(kind) ?? true);
    const points = evenly(all, sample);
    const places = `${clean.boundaries.length} boundaries, ${clean.writes.length} writes`;
    log(`${story.name}: ${places}, ${points.length} of ${all.length} crash points`);
    const next = points.values();
    const work = async () => {
      for (const point of next) await tryPoint(story, assembly, clean, point, tally, log);
    };
    await Promise.all(Array.from({ length: atATime }, work));
  }
  return tally;
}

/**
 * A function can crash for itself, or with all of the cloud; elsewhere there is only the cloud. Broadcast is left out: it writes
 * nothing that a story rests on, and how often it is invoked is a matter of moments.
 */
export function crashPoints({ boundaries, requests, writes }: Omit<Played, 'outcome' | 'crashed'>): CrashPoint[] {
  const own = boundaries.flatMap((boundary): CrashPoint[] => {
    if ('function' in boundary && boundary.function === 'Broadcast') return [];
    const kill: CrashPoint = { ...boundary, kind: 'kill' };
    return 'function' in boundary ? [{ ...boundary, kind: 'crash' }, kill] : [kill];
  });
  return [...own, ...requests, ...tableFates.flatMap((kind) => tablePoints(writes, kind))];
}

/** Each write suffers each fate. Until core gives up takes ten seconds, so this only the first and the last of each shape do. */
function tablePoints(writes: readonly TableWrite[], kind: TableFate): TablePoint[] {
  const chosen = writes.filter(
    ({ write, nth }) => kind !== 'only-500' || nth === 1 || !writes.some((one) => one.write === write && one.nth > nth),
  );
  return chosen.map((write) => ({ ...write, kind }));
}

/** The same ones every time. */
export function evenly<T>(all: readonly T[], sample = all.length): T[] {
  const count = Math.min(sample, all.length);
  return Array.from({ length: count }, (_, index) => all[Math.floor(((index + 0.5) * all.length) / count)]!);
}

async function tryPoint(
  story: Story,
  assembly: string,
  clean: Played,
  point: CrashPoint,
  tally: Tally,
  log: (line: string) => void,
): Promise<void> {
  const where = `${story.name}, ${nameOf(point)}`;
  try {
    const { outcome, crashed } = await playUntilCrashed(story, assembly, point);
    if (!crashed) {
      tally.missed += 1;
      log(`  not reached: ${where}`);
      return;
    }
    count(tally, point);
    const { lost, doubled } = compare(clean.outcome, outcome, 'write' in point ? 0 : 1);
    if (lost.length) tally.lost += 1;
    if (doubled.length) tally.doubled += 1;
    for (const line of lost) log(`  LOST: ${where}: ${line}`);
    for (const line of doubled) log(`  DOUBLED: ${where}: ${line}`);
  } catch (error) {
    count(tally, point);
    tally.unfinished += 1;
    log(`  NOT FINISHED: ${where}: ${(error as Error).message}`);
  }
}

/** How the stream's records are batched is a matter of moments: an ordinal that one run has not, the next may have. */
async function playUntilCrashed(story: Story, assembly: string, point: CrashPoint): Promise<Played> {
  const first = await play(story, assembly, point);
  return first.crashed ? first : play(story, assembly, point);
}

function count(tally: Tally, { kind }: CrashPoint): void {
  tally.tried += 1;
  tally.byKind[kind] = (tally.byKind[kind] ?? 0) + 1;
}

const happenings: Record<CrashPoint['kind'], string> = {
  kill: 'the cloud is killed',
  crash: 'the function crashes',
  'error-500': 'the table answers 500 once after it has done',
  lost: 'the connection closes after the table has done',
  'errors-500': "the table answers 500 to all of the SDK's attempts after it has done",
  'only-500': 'the table answers nothing but 500 after it has done',
};

function nameOf(point: CrashPoint): string {
  const what = happenings[point.kind];
  if ('write' in point) return `${what} write ${point.nth} of ${point.write}`;
  if ('request' in point) return `${what} while request ${point.nth} to the ${point.request} is in flight`;
  if ('function' in point) return `${what} ${point.at} invocation ${point.nth} of ${point.function}`;
  return `${what} ${point.at} transition ${point.transition} (${point.record})`;
}
