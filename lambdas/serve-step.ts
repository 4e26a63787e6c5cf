import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { shipped } from '../agents';
import { CancelReply, LoopInput, type LoopOutput } from '../core/base/state/loop-state';
import { fileLimits } from '../core/base/state/user-limits';
import { LogReader } from '../core/conversations/runs/log';
import { readMeta } from '../core/conversations/store/table';
import { advance } from '../core/machines/loop/advance';
import { cancelReply } from '../core/machines/step/await-reply';
import { generateTitle } from '../core/people/finding/generate-title';
import { modules } from '../modules/models';
import { deployedEmbedder } from '../runtime/embedder';
import { optionalVariable, tableOfDeployment, traceScope } from '../runtime/environment';
import { filesOfDeployment } from '../runtime/file-store';
import { limits } from '../runtime/limits';
import { addFields, type LogFields, log } from '../runtime/log';
import { logFailure } from '../runtime/plain-error';
import { recalledNote } from '../runtime/recall';
import { serveState } from '../runtime/serve-state';
import { guardEquipment } from '../runtime/tool-needs';
import { deployedDeltas } from './live/deltas';
import { deployedModel } from './models/deployed-model';
import { measured } from './models/measured';
import { textOfFile } from './models/shown-files';

/** Time to fail with an error that is retried, before Lambda stops the process. */
const reserveMs = 10_000;

/** CallModel: advances a run by one step, or cancels a reply that its provider makes in the background. */
export function serveStep() {
  const table = tableOfDeployment();
  const logs = new LogReader(table);
  const secrets = new SecretsManagerClient({});
  const model = deployedModel(shipped.providers, secrets, modules);
  const embedder = deployedEmbedder(secrets);
  const equip = guardEquipment();
  const deltas = deployedDeltas();
  const files = filesOfDeployment();
  const recall = (user: string, words: string) => recalledNote(table, embedder, user, words);

  return serveState(z.union([CancelReply, LoopInput]), serve, whoseModel);

  async function serve(input: CancelReply | LoopInput, context: Context): Promise<LoopOutput | undefined> {
    return 'cancelReply' in input
      ? void (await cancelReply({ table, model, now: () => new Date() }, input.cancelReply))
      : advanceOnce(input, context);
  }

  async function advanceOnce(input: LoopInput, context: Context): Promise<LoopOutput> {
    const began = Date.now();
    const deadline = AbortSignal.timeout(Math.max(1, context.getRemainingTimeInMillis() - reserveMs));
    // The step that is made, not the last one that is stored.
    addFields({ step: input.step + 1 });
    const loop = {
      recall,
      equip,
      deltas,
      files,
      textOf: textOfFile,
      table,
      logs,
      model: measured(model, deadline),
      failed: logFailure,
      registry: shipped,
      now: () => new Date(),
      limits: limits(),
      fileLimits,
      traces: traceScope(),
      deadline,
    };
    const output = await advance(loop, input);
    // The run is over for everybody but this execution. Its outcome does not depend on a title.
    if (output.next === 'done' && optionalVariable('VIGIL_TITLES') !== 'off')
      await generateTitle(loop, input.conversationId).catch(({ name }: Error) => log.warn('no title', { error: name }));
    log.info('step', { next: output.next, ms: Date.now() - began });
    return output;
  }

  /** Returns fields for the log of a failure: the agent, its model and the attempt. */
  async function whoseModel(input: CancelReply | LoopInput): Promise<LogFields> {
    const { conversationId } = 'cancelReply' in input ? input.cancelReply : input;
    const { run, overrides } = (await readMeta(table, conversationId).catch(() => undefined)) ?? {};
    const agent = shipped.agents.get(run?.agent ?? '');
    const overridden = agent && { ...agent, model: { ...agent.model, name: overrides?.model ?? agent.model.name } };
    return { agent: run?.agent, model: overridden && model.about(overridden).model, attempt: run?.draft?.attempt };
  }
}
