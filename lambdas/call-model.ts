import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { shipped } from '../agents';
import { advance } from '../core/advance';
import { LoopInput, type LoopOutput } from '../core/loop-state';
import { LogReader } from '../core/store/log';
import { openaiEmbedder } from './embedder';
import { optionalVariable, tableOfDeployment } from './environment';
import { log } from './log';
import { limits, prices } from './model-budget';
import { modelKey } from './model-key';
import { openaiModel } from './openai-model';
import { plainError } from './plain-error';
import { recalledNote } from './recall';
import { secret } from './secret';

const table = tableOfDeployment();
const logs = new LogReader(table);
const secrets = new SecretsManagerClient({});
const model = openaiModel(modelKey(secrets), {
  baseURL: optionalVariable('OPENAI_BASE_URL'),
  override: optionalVariable('VIGIL_MODEL'),
  prices: prices(),
});
const embedder = openaiEmbedder(secret(secrets, 'MODEL_KEY_SECRET_ARN', "the model's key"));
/** Time to store what there is and fail in good order, before Lambda stops the process. */
const reserveMs = 10_000;

/** Moves a run on by one step. */
export async function handler(event: unknown, context: Context): Promise<LoopOutput> {
  const input = LoopInput.parse(event);
  const began = Date.now();
  const deadline = AbortSignal.timeout(Math.max(1, context.getRemainingTimeInMillis() - reserveMs));
  const { runId, segment, step } = input;
  try {
    const recall = (user: string, words: string) => recalledNote(table, embedder, user, words);
    const loop = { recall, table, logs, model, registry: shipped, now: () => new Date(), limits: limits(), deadline };
    const output = await advance(loop, input);
    log.info('step', { runId, segment, step: output.step, next: output.next, ms: Date.now() - began });
    return output;
  } catch (error) {
    throw plainError(error, { runId, segment, step });
  }
}
