import { anthropicModel } from './models/anthropic-model';
import { bedrockModel } from './models/bedrock-model';
import { serveStep } from './serve-step';

/** CallModel for deployments that need more than one of the clients that other bundles leave out. */
export const handler = serveStep({ anthropic: anthropicModel, bedrock: bedrockModel });
