import type { VigilModule } from '../../infra/module';

/**
 * Lets people say what they think of replies (docs/api.md), and counts it. It has no function of its own.
 *
 * @example
 * ```ts
 * import { App, Stack } from 'aws-cdk-lib';
 * import { Vigil } from 'vigil/cdk';
 * import { feedback } from 'vigil/modules/feedback';
 *
 * const stack = new Stack(new App(), 'MyAgents');
 * const modules = [feedback()];
 * new Vigil(stack, 'Agents', { agents: './agents', tools: ['./tools'], modules });
 * modules[0].name; // → 'feedback'
 * ```
 */
export const feedback = (): VigilModule => ({
  name: 'feedback',
  deploy: () => ({ functions: [], graphs: [{ title: 'Thumbs', metrics: ['ThumbsUp', 'ThumbsDown'] }] }),
});
