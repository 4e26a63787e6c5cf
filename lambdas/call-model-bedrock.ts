import { bedrockModel } from './models/bedrock-model';
import { serveStep } from './serve-step';

/** CallModel for deployments with an agent that uses Bedrock. It keeps Bedrock's client out of other bundles. */
export const handler = serveStep({ bedrock: bedrockModel });
