import { createHash } from 'node:crypto';
import { brokenPromises } from './promises';
import { randomOf } from './random';
import { seedIds } from './seeded-crypto';
import { machineVariables } from './step-functions';
import { play, type Seen } from './story';
import { World } from './world';

/** What became of many schedules. */
export interface Explored {
  schedules: number;
  violations: { seed: number; broken: string[]; schedule: string[] }[];
  /** How often each thing was met: statuses, kinds of what is to be done, faults at each write. */
  met: Map<string, number>;
  /** Of all that happened, whatever the order of the seeds: a change of the harness alone leaves it as it is. */
  digest: number;
}

/** Plays the schedules of seeds `first` to `first + count - 1`. @param enough violations after which it ends. */
export function explore(first: number, count: number, enough = 5): Promise<Explored> {
  return withWorldTime(async () => {
    const explored: Explored = { schedules: 0, violations: [], met: new Map(), digest: 0 };
    for (let seed = first; seed < first + count && explored.violations.length < enough; seed++) {
      const { seen, broken } = await one(seed);
      explored.schedules += 1;
      explored.digest ^= digestOf(seed, seen?.world.schedule, broken);
      if (broken.length > 0) explored.violations.push({ seed, broken, schedule: seen?.world.schedule ?? [] });
      for (const [what, times] of seen ? counted(seen) : [])
        explored.met.set(what, (explored.met.get(what) ?? 0) + times);
    }
    return explored;
  });
}

/** The same for the same seed. */
const digestOf = (...happened: unknown[]): number =>
  createHash('sha1').update(JSON.stringify(happened)).digest().readInt32BE(0);

async function one(seed: number): Promise<{ seen?: Seen; broken: string[] }> {
  const random = randomOf(seed);
  Math.random = random.next;
  seedIds(seed);
  try {
    const seen = await play(random);
    return { seen, broken: brokenPromises(seen) };
  } catch (error) {
    return { broken: [(error as Error).stack ?? String(error)] };
  }
}

function* counted({ world, rows }: Seen): Iterable<[string, number]> {
  yield* world.met;
  for (const row of rows) {
    if (row.sk === 'META') yield [`conversation ${row.status}`, 1];
    if (row.sk.startsWith('CALL#')) yield [`call ${row.status}`, 1];
    if (row.sk.startsWith('CALLBACK#')) yield [`callback ${row.kind} ${row.status}`, 1];
  }
}

/** Runs something with the world's time, and with pauses that end when the scheduler likes: what may come in between is up to it. */
export async function withWorldTime<Answer>(run: () => Promise<Answer>): Promise<Answer> {
  const { setTimeout, setInterval, clearInterval, performance, Date: RealDate } = globalThis;
  const { random } = Math;
  class WorldDate extends RealDate {
    constructor(...given: [] | [string | number | Date]) {
      super(given.length === 0 ? World.current.time : given[0]);
    }
    static override now = () => World.current.time;
  }
  Object.assign(process.env, machineVariables);
  Object.assign(globalThis, {
    Date: WorldDate,
    setTimeout: (over: () => void) => World.current.pause(over),
    setInterval: () => 0,
    clearInterval: () => undefined,
  });
  Object.defineProperty(globalThis, 'performance', {
    value: { now: () => World.current.time },
    configurable: true,
    writable: true,
  });
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout, setInterval, clearInterval, Date: RealDate });
    Object.defineProperty(globalThis, 'performance', { value: performance, configurable: true, writable: true });
    Math.random = random;
  }
}
