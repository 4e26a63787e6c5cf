import type { Model } from '../../core/conversations/agent/model';
import { count } from '../../runtime/metrics';

/**
 * Counts a model's calls: how long they take, and which fail. Attempts that are repeated count again.
 *
 * @param deadline the step's. A call that ran out of time has failed; one that was no longer wanted has not.
 */
export const measured = (model: Model, deadline: AbortSignal): Model => ({
  about: (agent) => model.about(agent),
  cancel: (reply) => model.cancel!(reply),
  async reply(request) {
    const { agent, signal, onText } = request;
    const { model: Model } = model.about(agent);
    const began = Date.now();
    let FirstWord: number | undefined;
    try {
      const reply = await model.reply({
        ...request,
        onText(piece) {
          FirstWord ??= Date.now() - began;
          onText(piece);
        },
      });
      const values = {
        ModelLatency: Date.now() - began,
        ModelFailures: 0,
        ...(FirstWord !== undefined && { FirstWord }),
      };
      count('model', values, { Model }, { agent: agent.name });
      return reply;
    } catch (error) {
      const { name } = error as Error;
      if (name !== 'ReplyPending' && (!signal.aborted || deadline.aborted))
        count('model', { ModelFailures: 1 }, { Model }, { agent: agent.name, error: name });
      throw error;
    }
  },
});
