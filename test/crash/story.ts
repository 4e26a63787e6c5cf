import type { ChatRequest, Reply } from '../support/servers/model-server';
import type { Web } from '../support/servers/web';
import type { World } from './world';

/**
 * A story that the crash sweep tells again and again, each time with a process, or an answer of its table, lost at
 * another place. To add one, put a file into `stories/` that exports a `Story` and name it in `stories/index.ts`:
 *
 * - `script` answers for the model. It decides from the transcript alone, so that a request that is made again is answered the same.
 * - `tell` says and moves what people would, by the `world` only, and returns when the story has come to its end. It asserts
 *   nothing: what comes out is compared with a run in which nothing was lost. Everything in the world bears it that
 *   the cloud is gone at any moment.
 * - `facts` adds lines to what is compared, if messages, calls, callbacks, timers, runs and outside effects are not enough.
 *
 * What differs from run to run for a good reason (times, ids, ports) is made equal by `normalise` in `outcome.ts`.
 */
export interface Story {
  name: string;
  script(request: ChatRequest): Reply;
  tell(world: World): Promise<void>;
  /** What the web has, where the story reads it. */
  pages?: Web['pages'];
  /** Whether the agent's model makes its replies in the background. */
  inBackground?: true;
  /** Whether a tool of MCP's reference server is called. */
  asksByMcp?: true;
  facts?(world: World): Promise<string[]>;
}
