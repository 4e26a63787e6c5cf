import * as z from 'zod';
import { TellModel } from '../../../core/base/text/errors';
import { defineTool } from '../../../core/conversations/agent/tool';
import { serveTool } from '../../../runtime/serve-tool';
import { weightOf } from '../scales';

const ways = ['in a helper', 'with its words', 'for the model', 'in a callback'] as const;

/** A tool that fails in ways that its author has to debug. */
export const weigh = defineTool({
  name: 'weigh',
  description: 'Weighs a parcel, and fails.',
  input: z.object({ parcel: z.string().describe('What is in it'), way: z.enum(ways).describe('How it fails') }),
  output: z.object({ kilograms: z.number() }),
  effect: 'read',
  timeoutSeconds: 60,
  retry: { maxAttempts: 1, intervalSeconds: 1, backoffRate: 2, maxDelaySeconds: 4 },
  async execute({ parcel, way }) {
    console.warn('The scales are %d years old.', 9);
    if (way === 'with its words') throw new Error(`Nobody can weigh ${parcel}, not even the ${parcel.split(' ')[1]}.`);
    if (way === 'for the model') throw new TellModel(`${parcel} is too heavy.`);
    if (way === 'in a callback') await new Promise(() => setImmediate(() => weightOf(parcel)));
    return { kilograms: weightOf(parcel) };
  },
});

export const handler = serveTool(weigh);
