import { setTimeout as sleep } from 'node:timers/promises';
import type { Boundary } from '../../local/app/boundaries';
import { startModelServer } from '../support/model-server';
import { startThirdParty } from '../support/third-party';
import { topic } from './assemble';
import { type CrashPoint, startMortalCloud } from './mortal-cloud';
import { type Outcome, outcomeOf } from './outcome';
import type { Story } from './story';
import { worldIn } from './world';

export interface Played {
  outcome: Outcome;
  /** What the run passed; kept where nothing is to crash. */
  boundaries: Boundary[];
  /** Whether what was to crash did so: two runs need not be alike in every invocation. */
  crashed: boolean;
}

/** What comes a moment after a story's end may crash as well. */
const lateMs = 1_500;

/** Tells a story in a cloud of its own, with its end at one place if there is one. */
export async function play(story: Story, assembly: string, point?: CrashPoint): Promise<Played> {
  const [model, thirdParty] = await Promise.all([startModelServer({ script: story.script }), startThirdParty()]);
  const world = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-test', REMINDER_TOPIC_ARN: topic };
  const cloud = await startMortalCloud(assembly, { ...process.env, ...world });
  try {
    if (point) await cloud.order(point);
    else await cloud.beginBoundaries();
    const told = worldIn(cloud, thirdParty);
    await story.tell(told);
    const end = Date.now() + (point ? lateMs : 0);
    while (Date.now() < end && !(await cloud.hasCrashed())) await sleep(20);
    // What is still to come, comes now: a move of the clock waits for the functions at work.
    for (let minutes = 0; minutes < 2; minutes++) await told.advance('PT1M');
    const boundaries = point ? [] : await cloud.boundaries();
    const crashed = point !== undefined && (await cloud.hasCrashed());
    const outcome = await outcomeOf(story, { world: told, cloud, requests: model.requests });
    return { outcome, boundaries, crashed };
  } finally {
    await Promise.all([cloud.stop(), model.stop(), thirdParty.stop()]);
  }
}
