import { serveStep } from './serve-step';

export const handler = serveStep();
