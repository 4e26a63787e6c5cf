import type { VigilModule } from '../../infra/module';

/**
 * Lets people say what they think of replies (docs/api.md), and counts it. It has no function of its own.
 *
 * @example
 * ```ts
 * import { feedback } from 'vigil/modules/feedback';
 *
 * // new Vigil(stack, 'Agents', { agents: './agents', modules: [listed] })
 * const listed = feedback();
 * listed.name; // → 'feedback'
 * ```
 */
export const feedback = (): VigilModule => ({
  name: 'feedback',
  deploy: () => ({ functions: [], graphs: [{ title: 'Thumbs', metrics: ['ThumbsUp', 'ThumbsDown'] }] }),
});
