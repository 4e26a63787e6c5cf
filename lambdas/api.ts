import { SFNClient } from '@aws-sdk/client-sfn';
import { handle } from 'hono/aws-lambda';
import { shipped } from '../agents';
import { api } from './api-app';
import { tableOfDeployment } from './environment';
import { resume, startSegment } from './segments';

const table = tableOfDeployment();
const stepFunctions = new SFNClient({});

export const handler = handle(
  api(table, shipped, {
    startSegment: (meta) => startSegment(stepFunctions, meta),
    resume: (conversationId, callback) => resume(stepFunctions, table, conversationId, callback),
  }),
);
