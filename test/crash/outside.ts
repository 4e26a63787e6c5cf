import { startBackgroundServer } from '../support/servers/background-server';
import { startMcpServers } from '../support/servers/guard';
import { type ChatRequest, type ModelServer, type Reply, startModelServer } from '../support/servers/model-server';
import { startThirdParty, type ThirdParty } from '../support/servers/third-party';
import { startWeb, type Web } from '../support/servers/web';
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
  /** What the travel agent searches and reads: each is paid for. */
  web: Web;
  /** The variables by which the cloud finds them. */
  variables: Record<string, string>;
  /** What was asked of them, as places where the cloud can be killed in another run. */
  points(): RequestPoint[];
  stop(): Promise<unknown>;
}

/** The variables by which a cloud finds the model and the web. */
export const variablesOf = (model: ModelServer, web: Web): Record<string, string> => ({
  OPENAI_BASE_URL: model.url,
  OPENAI_API_KEY: 'sk-test',
  VIGIL_TITLES: 'off',
  SERPER_BASE_URL: web.url,
  SERPER_API_KEY: 'k',
  BROWSERLESS_BASE_URL: web.url,
  BROWSERLESS_TOKEN: 't',
});

/** @param reached is awaited before a request is answered. */
export async function startOutside(story: Story, reached: (point: RequestPoint) => Promise<void>): Promise<Outside> {
  const points: RequestPoint[] = [];
  async function answering(request: RequestPoint['request']): Promise<void> {
    const nth = points.filter((other) => other.request === request).length + 1;
    const point: RequestPoint = { kind: 'kill', request, nth };
    points.push(point);
    await reached(point);
  }

  async function script(request: ChatRequest): Promise<Reply> {
    const reply = story.script(request);
    await answering('model');
    return reply;
  }
  const [model, thirdParty, web, mcp, thinker] = await Promise.all([
    startModelServer({ script }),
    startThirdParty({ answering: () => answering('third party') }),
    startWeb(),
    story.asksByMcp && startMcpServers(),
    story.inBackground && startBackgroundServer(script),
  ]);
  web.pages = story.pages ?? {};
  const ofThinker = thinker && { THINKER_BASE_URL: thinker.url };
  const variables = { ...variablesOf(model, web), ...mcp?.variables, ...ofThinker };
  const stop = () => Promise.all([model.stop(), thirdParty.stop(), web.stop(), mcp?.stop(), thinker?.stop()]);
  return { model, thirdParty, web, variables, points: () => [...points], stop };
}
