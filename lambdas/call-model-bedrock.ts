import { bedrockModel } from './models/bedrock-model';
import { serveStep } from './serve-step';

/** Of a deployment with an agent that asks Bedrock: the others' bundles are spared its client. */
export const handler = serveStep(bedrockModel);
