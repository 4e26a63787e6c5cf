import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Boundary } from '../../local/app/boundaries';
import { startDynoxide } from '../../local/dynamodb/dynoxide';
import { type FaultyTable, startFaultyTable, type TablePoint, type TableWrite } from './faulty-table';
import { type BoundaryPoint, type MortalCloud, startMortalCloud } from './mortal-cloud';
import { type Outcome, outcomeOf } from './outcome';
import { type RequestPoint, startOutside } from './outside';
import type { Story } from './story';
import { worldIn } from './world';

/** What dies, or is lost, and where. */
export type CrashPoint = BoundaryPoint | RequestPoint | TablePoint;

export interface Played {
  outcome: Outcome;
  /** What the run passed; kept where nothing is to crash. */
  boundaries: Boundary[];
  /** What was asked of the servers outside. */
  requests: RequestPoint[];
  /** What the functions wrote; kept where nothing dies. */
  writes: TableWrite[];
  /** Whether what was to crash did so: two runs need not be alike in every invocation. */
  crashed: boolean;
}

/** What comes a moment after a story's end may crash as well. */
const lateMs = 1_500;

/** Tells a story in a cloud of its own, with its end at one place if there is one. */
export async function play(story: Story, assembly: string, point?: CrashPoint): Promise<Played> {
  let cloud: MortalCloud | undefined;
  const outside = await startOutside(story, async (reached) => {
    if (isDeepStrictEqual(reached, point)) await cloud?.kill();
  });
  const { model, thirdParty, web } = outside;
  const table = !point || 'write' in point ? await startOwnTable(point) : undefined;
  const variables = {
    ...outside.variables,
    ...(table && { DYNAMODB_ENDPOINT: table.endpoint }),
  };
  cloud = await startMortalCloud(assembly, { ...process.env, ...variables });
  const hasCrashed = async () => table?.hasStruck() ?? cloud.hasCrashed();
  try {
    if (!point) await cloud.beginBoundaries();
    else if ('at' in point) await cloud.order(point);
    const told = worldIn(cloud, thirdParty);
    await story.tell(told);
    const end = Date.now() + (point ? lateMs : 0);
    while (Date.now() < end && !(await hasCrashed())) await sleep(20);
    await table?.calm();
    // What is still to come, comes now: a move of the clock waits for the functions at work.
    for (let minutes = 0; minutes < 2; minutes++) await told.advance('PT1M');
    const boundaries = point ? [] : await cloud.boundaries();
    const crashed = point !== undefined && (await hasCrashed());
    const outcome = await outcomeOf(story, { world: told, cloud, requests: model.requests, web });
    return { outcome, boundaries, requests: outside.points(), writes: table?.writes() ?? [], crashed };
  } finally {
    await Promise.all([cloud.stop(), outside.stop()]);
    await table?.stop();
  }
}

/** A table outside of the cloud. Where a process dies there is none: the cloud's own dies with it. */
async function startOwnTable(point?: TablePoint): Promise<FaultyTable> {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-crash-table-'));
  const engine = await startDynoxide(folder, () => undefined);
  const table = await startFaultyTable(engine.endpoint, point);
  return {
    ...table,
    async stop() {
      await Promise.all([table.stop(), engine.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
