import { anthropicModel } from './models/anthropic-model';
import { serveStep } from './serve-step';

/** CallModel for deployments with an agent that uses Anthropic's API. It keeps Anthropic's client out of other bundles. */
export const handler = serveStep({ anthropic: anthropicModel });
