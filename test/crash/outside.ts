import { type ModelServer, startModelServer } from '../support/model-server';
import { startThirdParty, type ThirdParty } from '../support/third-party';
import type { Story } from './story';

/** The cloud is killed while this request is in flight: the other side has done what it was asked for, and the answer is lost. */
export interface RequestPoint {
  kind: 'kill';
  request: 'model' | 'third party';
  /** Counted on the other side. */
  nth: number;
}

/** The servers outside of the cloud: they outlive it. */
export interface Outside {
  model: ModelServer;
  thirdParty: ThirdParty;
  /** What was asked of them, as places where the cloud can be killed in another run. */
  points(): RequestPoint[];
  stop(): Promise<unknown>;
}

/** @param reached is awaited before a request is answered. */
export async function startOutside(story: Story, reached: (point: RequestPoint) => Promise<void>): Promise<Outside> {
  const points: RequestPoint[] = [];
  async function answering(request: RequestPoint['request']): Promise<void> {
    const nth = points.filter((other) => other.request === request).length + 1;
    const point: RequestPoint = { kind: 'kill', request, nth };
    points.push(point);
    await reached(point);
  }

  const [model, thirdParty] = await Promise.all([
    startModelServer({
      async script(request) {
        const reply = story.script(request);
        await answering('model');
        return reply;
      },
    }),
    startThirdParty({ answering: () => answering('third party') }),
  ]);
  return { model, thirdParty, points: () => [...points], stop: () => Promise.all([model.stop(), thirdParty.stop()]) };
}
