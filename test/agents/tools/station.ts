import { serveMcp } from '../../../modules/mcp/serve-mcp';
import { mcp } from '../../../modules/mcp/server';
import pin from './station.mcp.json';

/** A server that speaks the current revision only. One of its tools has an effect before it asks, and it works on the other one for days. */
export const station = mcp('station', {
  url: { variable: 'STATION_URL' },
  pin,
  allow: { '*': { effect: 'idempotent', elicitation: 'ask', afterUntrusted: () => 'allow' } },
});

export const handler = serveMcp(station);
