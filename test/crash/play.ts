import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Boundary } from '../../local/app/boundaries';
import { topic } from './assemble';
import { type BoundaryPoint, type MortalCloud, startMortalCloud } from './mortal-cloud';
import { type Outcome, outcomeOf } from './outcome';
import { type RequestPoint, startOutside } from './outside';
import type { Story } from './story';
import { worldIn } from './world';

/** What dies, and where. */
export type CrashPoint = BoundaryPoint | RequestPoint;

export interface Played {
  outcome: Outcome;
  /** What the run passed; kept where nothing is to crash. */
  boundaries: Boundary[];
  /** What was asked of the servers outside. */
  requests: RequestPoint[];
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
  const variables = {
    ...{ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test', REMINDER_TOPIC_ARN: topic },
    ...{ SERPER_BASE_URL: web.url, SERPER_API_KEY: 'k', BROWSERLESS_BASE_URL: web.url, BROWSERLESS_TOKEN: 't' },
  };
  cloud = await startMortalCloud(assembly, { ...process.env, ...variables });
  try {
    if (!point) await cloud.beginBoundaries();
    else if (!('request' in point)) await cloud.order(point);
    const told = worldIn(cloud, thirdParty);
    await story.tell(told);
    const end = Date.now() + (point ? lateMs : 0);
    while (Date.now() < end && !(await cloud.hasCrashed())) await sleep(20);
    // What is still to come, comes now: a move of the clock waits for the functions at work.
    for (let minutes = 0; minutes < 2; minutes++) await told.advance('PT1M');
    const boundaries = point ? [] : await cloud.boundaries();
    const crashed = point !== undefined && (await cloud.hasCrashed());
    const outcome = await outcomeOf(story, { world: told, cloud, requests: model.requests, web });
    return { outcome, boundaries, requests: outside.points(), crashed };
  } finally {
    await Promise.all([cloud.stop(), outside.stop()]);
  }
}
